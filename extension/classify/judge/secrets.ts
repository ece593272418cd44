/**
 * Secrets whose reading is told by more than a verb.
 *
 * @module
 */
import {
  hasOption,
  type Judge,
  judged,
  optionValue,
  positionals,
  words,
} from "../rule.ts";

const KUBE_VALUED = new Set(
  words(
    "-n --namespace --context --kubeconfig -l --selector -o --output --template --field-selector",
  ),
);

/** `kubectl get secret -o yaml` shows the values; without `-o` it does not. */
export const judgeClusterSecret: Judge = (command, rule): ReturnType<Judge> => {
  const found = positionals(command, KUBE_VALUED);
  const verb = found[0]?.value;
  const kind = found[1];
  if (verb === "view-secret") {
    return judged(rule, command, "read", kind ? { word: kind } : {});
  }
  if (verb === "extract" && /^secrets?\//.test(kind?.value ?? "")) {
    return judged(rule, command, "read", kind ? { word: kind } : {});
  }
  if (verb !== "get" || !kind) return undefined;
  if (!/(?:^|,)(?:secrets?|sealedsecrets?)(?:[/,.]|$)/.test(kind.value)) {
    return undefined;
  }
  const format = optionValue(command, "-o", "--output")?.value ??
    optionValue(command, "--template")?.value;
  if (format === undefined || /^(?:name|wide)$/.test(format)) return undefined;
  return judged(rule, command, "read", { word: kind });
};

/** Keyrings: only the verbs that print a secret, or change one. */
export const judgeKeyring: Judge = (command, rule): ReturnType<Judge> => {
  const found = positionals(command, new Set(["-C", "-c", "-u", "--output"]));
  const verb = found[0];
  const name = command.program;
  const at = verb ? { word: verb } : {};
  if (name === "security") {
    if (/^find-(?:generic|internet)-password$/.test(verb?.value ?? "")) {
      const shows = hasOption(command, "-w") || hasOption(command, "-g");
      return judged(rule, command, shows ? "read" : "neutral", at);
    }
    if (
      /^(?:add|delete)-(?:generic|internet)-password$/.test(verb?.value ?? "")
    ) {
      return judged(rule, command, "write", at);
    }
    return verb?.value === "dump-keychain"
      ? judged(rule, command, "read", at)
      : undefined;
  }
  if (name === "secret-tool" || name === "keyring") {
    if (/^(?:lookup|get|search)$/.test(verb?.value ?? "")) {
      return judged(rule, command, "read", at);
    }
    return /^(?:store|clear|set|del)$/.test(verb?.value ?? "")
      ? judged(rule, command, "write", at)
      : undefined;
  }
  if (name === "git") {
    return verb?.value === "credential" && found[1]?.value === "fill"
      ? judged(rule, command, "read", { word: found[1] })
      : undefined;
  }
  if (
    name.startsWith("git-credential-") || name.startsWith("docker-credential-")
  ) {
    return verb?.value === "get"
      ? judged(rule, command, "read", at)
      : undefined;
  }
  if (name === "gpg" || name === "gpg2" || name === "age") {
    const opens = hasOption(command, "-d") || hasOption(command, "--decrypt") ||
      hasOption(command, "--export-secret-keys");
    const about = command.argv.some((w) =>
      /secret|passw|cred|token|\.env\b|\.kdbx?|vault/i.test(w.value)
    );
    return opens && about ? judged(rule, command, "read") : undefined;
  }
  if (name === "kwallet-query") return judged(rule, command, "read");
  return undefined;
};

// swamp's own command line.

/** Any use of swamp; tags say what is worth a second look. */
export const judgeSwamp: Judge = (command, rule): ReturnType<Judge> => {
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
export const judgeSwampSource: Judge = (
  command,
  rule,
  scene,
): ReturnType<Judge> => {
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
