/**
 * Commands that no rule is about: neutral, by kind.
 *
 * @module
 */
import { SHELLS } from "../shell/mod.ts";
import type { Command, Word } from "../shell/types.ts";
import { LOCAL } from "./rules/swamp.ts";
import type { Rule } from "./rule.ts";
import { positionals, words } from "./rule.ts";
import type { Judged } from "./rule.ts";

/** Stands for "no rule"; its id is the category of what was found. */
const rules = new Map<string, Rule>();
function neutralRule(id: string): Rule {
  const known = rules.get(id);
  if (known) return known;
  const rule: Rule = { id, title: id, programs: [], examples: {} };
  rules.set(id, rule);
  return rule;
}

/** Programs that run tasks of a project by name. */
const TASKS =
  /^(?:npm|pnpm|yarn|bun|make|gmake|just|task|mage|mise|rake|nx|turbo|gradle|gradlew|composer|deno|poetry|hatch|tox|invoke)$/;
const NOWHERE = /^(?:\/dev\/(?:null|stdout|stderr|tty)|&?\d|nul|\$null)$/i;

function neutral(
  command: Command,
  category: string,
  mutating: boolean,
  low = false,
  tags?: readonly string[],
): Judged {
  const first = command.argv[0] ?? command;
  const judged: Judged = {
    label: "neutral",
    rule: neutralRule(category),
    mutating,
    start: first.start,
    end: first.end,
  };
  if (low) judged.low = true;
  if (tags) judged.tags = tags;
  return judged;
}

/** Whether its output goes into a file. */
function writesFile(command: Command): boolean {
  return command.redirects.some(({ op, target }) =>
    op.startsWith(">")
      ? target !== undefined && op !== ">&" && !NOWHERE.test(target.value)
      : op.startsWith("&>") && target?.value !== "/dev/null"
  );
}

const TEST_WORD =
  /^(?:test|tests|e2e|spec|vitest|jest|pytest|unit|integration|check:test|coverage|bench)(?:[:_-].{0,60})?$|(?:^|[:_-])tests?$|\.test\.[cm]?[jt]sx?$/;
const OPAQUE =
  /^(?:deploy|release|publish|ship|provision|rollout|promote|migrate|prod|production|staging|infra|apply|destroy|teardown|bootstrap|sync|upload)(?:[:_-].{0,60})?$|(?:^|[:_-])(?:deploy|release|publish)(?:$|[:_-])/;

/** Options before the verb that take a value: `git -C x`, `docker -H y`. */
const GLOBAL_VALUED = new Set(
  words(
    "-C -c --git-dir --work-tree -H --host --context --cwd --prefix --dir --filter -F -w --workspace",
  ),
);

/** The verdict on a command that no rule is about. */
export function judgeLocal(command: Command): Judged {
  const { program, argv } = command;
  const known = LOCAL.get(program);
  if (asksOnly(argv)) {
    return neutral(command, known?.category ?? "neutral.other", false);
  }
  if (!known) {
    const script = /[/\\]|\.(?:sh|bash|zsh|ps1|bat|py|js|ts|rb)$/.test(
      argv[0]?.value ?? "",
    );
    return neutral(
      command,
      "neutral.other",
      true,
      program === "" || script,
      script ? ["opaque"] : undefined,
    );
  }
  if (SHELLS.has(program) && runsScript(command)) {
    return neutral(command, "neutral.other", true, true, ["opaque"]);
  }
  const writes = command.redirects.length > 0 && writesFile(command);
  let category: string = known.category;
  if (known.reads && category !== "neutral.edit") {
    return neutral(
      command,
      writes && category !== "neutral.vcs" ? "neutral.edit" : category,
      writes || finds(command),
    );
  }
  let opaque = false;
  const build = category === "neutral.build";
  const plain = build || known.readVerbs
    ? positionals(command, GLOBAL_VALUED)
    : [];
  const verb = plain[0]?.value ?? "";
  if (build) {
    if (
      plain.slice(0, 6).some((w) => TEST_WORD.test(w.value)) ||
      /^(?:go|cargo)$/.test(program) &&
        /^(?:test|vet|bench|nextest)$/.test(verb)
    ) {
      category = "neutral.test";
    } else {
      opaque = TASKS.test(program) &&
        plain.slice(0, 6).some((w) => OPAQUE.test(w.value));
    }
  }
  if (
    category === "neutral.edit" &&
    /^(?:sed|gsed|perl|tar|rsync)$/.test(program) && !changesInPlace(command)
  ) {
    category = "neutral.read";
  }
  const reads = known.reads ||
    known.readVerbs?.has(verb) === true && readOnly(command, verb) ||
    known.readVerbs !== undefined && argv[1]?.value.startsWith("-") === true &&
      known.readVerbs.has(argv[1].value) ||
    category === "neutral.read" && known.category === "neutral.edit";
  return neutral(
    command,
    writes && reads && category !== "neutral.vcs" ? "neutral.edit" : category,
    writes || !reads || finds(command),
    opaque,
    opaque ? ["opaque"] : undefined,
  );
}

/** `node -v`, `docker --version`. */
function asksOnly(argv: readonly Word[]): boolean {
  return argv.length === 2 &&
    /^(?:--version|-v|-V|version|--help|help)$/.test(argv[1]?.value ?? "");
}

/** A shell that runs a file, or what comes on its input. */
function runsScript(command: Command): boolean {
  for (let i = 1; i < command.argv.length; i++) {
    const value = command.argv[i]?.value ?? "";
    if (/^-[a-z]{0,8}c/.test(value) || value === "--version") return false;
    if (!/^[-+]/.test(value)) return true;
  }
  return command.redirects.some((r) => r.op === "<") ||
    command.stdin !== undefined;
}

function changesInPlace(command: Command): boolean {
  if (command.program === "tar") {
    return !/^-?[a-zA-Z]{0,6}t/.test(command.argv[1]?.value ?? "");
  }
  if (command.program === "rsync") return true;
  return command.argv.some((w) =>
    /^(?:-[a-zA-Z]{0,3}i.{0,20}|--in-place.{0,20})$/.test(w.value)
  );
}

/** Verbs that read, but not with every second word: `docker compose up`. */
function readOnly(command: Command, verb: string): boolean {
  const plain = command.argv.slice(1).filter((w) => !w.value.startsWith("-"))
    .map((w) => w.value);
  const second = plain[1] ?? "";
  switch (verb) {
    case "compose":
      return plain.some((v) =>
        /^(?:ps|logs|config|images|top|port|ls|version|events)$/.test(v)
      );
    case "image":
    case "container":
    case "volume":
    case "network":
    case "context":
    case "system":
      return /^(?:ls|list|inspect|ps|logs|df|info|show|stats|top|history|events|)$/
        .test(second);
    case "branch":
    case "tag":
    case "remote":
    case "config":
      return !command.argv.some((w) =>
        /^(?:-[dDmMfcu]|--delete|--unset|--add|--set-upstream.{0,20}|set-url|add|remove|rename|prune)$/
          .test(w.value)
      ) &&
        (verb === "remote" || plain.length < 2 ||
          verb === "config" && plain.length < 3 ||
          command.argv.some((w) =>
            /^(?:-l|--list|--contains|--merged|--get)$/.test(w.value)
          ));
    default:
      return true;
  }
}

function finds(command: Command): boolean {
  return command.program === "find" &&
    command.argv.some((w) => /^-(?:delete|exec|execdir|ok)$/.test(w.value));
}
