/**
 * swamp's own command line.
 *
 * @module
 */
import { type Judge, judged, positionals } from "../rule.ts";

/** Any use of swamp; tags say what is worth a second look. */
export const judgeSwamp: Judge = (command, rule) => {
  const found = positionals(
    command,
    new Set(["--repo-dir", "--server", "--log-level"]),
  );
  const text = command.argv.map((w) => w.value);
  const tags: string[] = [];
  const last = found[Math.min(found.length, 3) - 1];
  if (
    found[0]?.value === "model" && found[1]?.value === "method" &&
    (text.some((v) => /^(?:run|command|cmd|script)=/.test(v)) ||
      /\bshell\b|(?:^|-)shell(?:-|$)/.test(found[3]?.value ?? ""))
  ) {
    tags.push("shell-in-model");
  }
  // A value on the command line ends up in history and transcripts.
  const inline = found[0]?.value === "vault" && found[1]?.value === "put" &&
    found.slice(2).some((w) => /^[\w.-]{1,200}=./.test(w.value) && w.literal);
  if (inline) tags.push("secret-inline");
  return judged(rule, command, "swamp", {
    ...(last ? { word: last } : {}),
    ...(tags.length ? { tags } : {}),
  });
};

/** `deno run … swamp*&#47;main.ts`. */
export const judgeSwampSource: Judge = (command, rule, scene) => {
  const found = positionals(
    command,
    new Set(["-c", "--config", "--import-map", "--env-file"]),
  );
  const script = found[1];
  if (
    found[0]?.value === "run" && script &&
    /(?:^|[/\\])swamp[^/\\]{0,60}[/\\](?:.{0,200}[/\\])?(?:main|mod|cli)\.ts$/
      .test(script.value)
  ) {
    return judged(rule, command, "swamp", { word: script });
  }
  // A task of swamp's own source tree.
  if (
    found[0]?.value === "task" &&
    /^(?:dev|swamp|cli|start)$/.test(found[1]?.value ?? "") && found[1]
  ) {
    const home = scene.parse.commands.slice(0, scene.at).some((c) =>
      c.program === "cd" &&
      /(?:^|[/\\])swamp[/\\]?$/.test(c.argv[1]?.value ?? "")
    );
    if (home) {
      return judged(rule, command, "swamp", { word: found[1], low: true });
    }
  }
  return undefined;
};
