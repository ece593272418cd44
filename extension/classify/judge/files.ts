/**
 * What files say about a command: swamp's own data, definitions written by
 * hand, and files that hold secrets.
 *
 * @module
 */
import type { Command, Word } from "../../shell/types.ts";
import { type Judge, type Judged, judged, type Rule } from "../rule.ts";
import { operands, PRINTERS } from "./operands.ts";

/** A path under `.swamp/`, but not `.swamp.yaml` nor its own programs. */
const SWAMP = /(?:^|[/\\=:])\.swamp(?:[/\\](?!bin(?:[/\\]|$))|$)/;
/** Caches that swamp's own guide says to remove. */
const BUNDLES =
  /(?:^|[/\\])\.swamp[/\\](?:[\w*?-]{0,60}-)?(?:bundles|\*bundles)[/\\]{0,2}\*?$/;
const DATA = /(?:^|[/\\])\.swamp[/\\]data(?:[/\\]|$)/;

/** Whether a path lies in swamp's own data. */
export function isSwampPath(path: string): boolean {
  return path.length < 4096 && SWAMP.test(path);
}

/** Whether a path is a definition that swamp makes itself. */
export function isDefinitionPath(path: string): boolean {
  return path.length < 4096 &&
    /(?:^|[/\\])(?:models|workflows|vaults)[/\\].{1,400}\.ya?ml$/s.test(path) &&
    !/(?:^|[/\\])(?:node_modules|test|tests|fixtures?|examples?|docs|src|\.github)[/\\]/
      .test(path);
}

/** Reading below `.swamp/`. */
export const judgeSwampRead: Judge = (command, rule, scene) => {
  const { reads } = operands(command);
  const name = command.program;
  const word = reads.find((w) => isSwampPath(w.value)) ??
    (inSwamp(command, scene.parse.commands, scene.at) &&
        (PRINTERS.has(name) || /^(?:ls|find|tree|du)$/.test(name))
      ? command.argv[0]
      : undefined);
  if (!word) return undefined;
  if (/^(?:sqlite3?|duckdb)$/.test(name)) {
    const changes = command.argv.some((w) =>
      /^\s*(?:insert|update|delete|drop|alter|create|replace|vacuum)\b/i.test(
        w.value,
      )
    );
    if (changes) return undefined;
  }
  if (
    /^(?:ls|ll|dir|get-childitem|gci|exa|eza)$/.test(name) &&
    reads.every((w) => !isSwampPath(w.value) || DATA.test(w.value))
  ) {
    return judged(rule, command, "neutral", {
      word,
      category: "neutral.read",
      tags: ["troubleshooting"],
    });
  }
  return judged(rule, command, "read", { word, severity: "medium" });
};

/** Writing, moving and removing below `.swamp/`. */
export const judgeSwampWrite: Judge = (command, rule) => {
  const { reads, writes } = operands(command);
  let word = writes.find((w) => isSwampPath(w.value));
  if (!word && /^(?:sqlite3?|duckdb)$/.test(command.program)) {
    word = reads.find((w) => isSwampPath(w.value));
    const changes = command.argv.some((w) =>
      /^\s*(?:insert|update|delete|drop|alter|create|replace|vacuum)\b/i.test(
        w.value,
      )
    );
    if (!changes) word = undefined;
  }
  if (!word) return undefined;
  const removes = /^(?:rm|rmdir|trash|rimraf|remove-item|ri|find)$/.test(
    command.program,
  );
  if (
    removes &&
    writes.every((w) => !isSwampPath(w.value) || BUNDLES.test(w.value))
  ) {
    return judged(rule, command, "neutral", {
      word,
      category: "neutral.edit",
      mutating: true,
      tags: ["troubleshooting"],
    });
  }
  return judged(rule, command, "write", { word });
};

/** A `cd` into `.swamp/` before this command, in the same line. */
function inSwamp(
  command: Command,
  commands: readonly Command[],
  at: number,
): boolean {
  for (let i = at - 1; i >= 0 && i >= at - 20; i--) {
    const other = commands[i];
    if (!other || !/^(?:cd|pushd|set-location)$/.test(other.program)) continue;
    if (other.depth > command.depth) continue;
    return isSwampPath(other.argv[1]?.value ?? "");
  }
  return false;
}

/** A definition written from scratch, which swamp makes with `create`. */
export const judgeHandmade: Judge = (command, rule, scene) => {
  if (
    !/^(?:cat|echo|printf|tee|cp|jq|yq|sed|apply_patch|set-content|out-file)?$/
      .test(command.program)
  ) {
    return undefined;
  }
  const word = operands(command).writes.find((w) => isDefinitionPath(w.value));
  if (!word) return undefined;
  // Only what brings its content along makes a definition.
  const adds = command.program === "apply_patch" &&
    command.redirects.some((r) =>
      /^\*\*\* Add File: /m.test(r.body?.value ?? "")
    );
  if (command.program === "apply_patch" && !adds) return undefined;
  const brings = command.redirects.some((r) => r.body) ||
    command.stdin !== undefined ||
    /^(?:echo|printf|set-content)$/.test(command.program);
  const creates = scene.parse.commands.some((c) =>
    c.program === "swamp" &&
    c.argv.some((w) => w.value === "create" || w.value === "edit")
  );
  if (!brings || creates) return undefined;
  if (command.redirects.some((r) => r.op === ">>")) return undefined;
  const uuid =
    /\buuidgen\b|\brandomuuid\b|uuid4|[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-/i
      .test(scene.text.slice(0, 20_000));
  return judged(rule, command, "write", {
    start: word.start,
    end: word.end,
    severity: "medium",
    low: !uuid,
  });
};

const SECRET_FILE = new RegExp(
  "(?:^|[/\\\\=@])(?:" + [
    "\\.env(?:\\*|\\.(?!example|sample|template|dist|schema|defaults?|tmpl|vault|test\\b|ci\\b)[\\w.-]{1,40})?",
    "[\\w-]{1,40}\\.env",
    "\\.dev\\.vars",
    "\\.aws[/\\\\](?:credentials|cli[/\\\\]cache[/\\\\].{0,200}|sso[/\\\\]cache[/\\\\].{0,200})",
    "ngrok\\.ya?ml",
    "\\.netrc",
    "_netrc",
    "\\.pgpass",
    "\\.my\\.cnf",
    "(?:~|home[/\\\\][^/\\\\]{1,60}|root|users[/\\\\][^/\\\\]{1,60})[/\\\\]\\.npmrc",
    "\\.pypirc",
    "\\.git-credentials",
    "\\.vault-token",
    "\\.htpasswd",
    "\\.docker[/\\\\]config\\.json",
    "\\.kube[/\\\\]config",
    "kubeconfig(?:\\.ya?ml)?",
    "gh[/\\\\]hosts\\.ya?ml",
    "glab-cli[/\\\\]config\\.yml",
    "application_default_credentials\\.json",
    "credentials\\.(?:json|ya?ml|tfrc\\.json|toml|db)",
    "\\.credentials\\.json",
    "\\.codex[/\\\\]auth\\.json",
    "service[-_]account[\\w-]{0,40}\\.json",
    "client_secret[\\w.-]{0,80}\\.json",
    "secrets?\\.(?:toml|env|ini)",
    "id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?",
    "[\\w.-]{1,60}\\.(?:pem|p12|pfx|jks|keystore|kdbx)",
    "(?:private|server|tls|client|master|production|signing)[\\w-]{0,20}\\.key",
    "run[/\\\\]secrets[/\\\\].{1,200}",
    "etc[/\\\\](?:shadow|gshadow|sudoers)",
    "\\.config[/\\\\]op[/\\\\]config",
    "\\.terraformrc",
  ].join("|") + ")$",
  "i",
);

/** Whether a file is one that holds credentials. */
export function isSecretPath(path: string): boolean {
  return path.length < 4096 && SECRET_FILE.test(path) &&
    !/(?:\.pub|(?:^|[/\\])(?:ca|cert|chain|fullchain|public|ca-bundle|cacert|root)[\w-]{0,20}\.pem)$/i
      .test(path);
}

/** Printing a file that holds credentials. */
export const judgeSecretFile: Judge = (command, rule, scene) => {
  if (!PRINTERS.has(command.program)) return undefined;
  const word = operands(command).reads.find((w) => isSecretPath(w.value));
  if (
    !word || hidesValues(command) ||
    scene.parse.commands.some((c) => c.stdin === scene.at && hidesValues(c)) ||
    feedsEnvironment(command, scene.parse.commands)
  ) {
    return undefined;
  }
  if (
    command.redirects.some((r) =>
      r.op.startsWith(">") && r.target && isSecretPath(r.target.value)
    )
  ) {
    return undefined;
  }
  return found(rule, command, word);
};

function found(rule: Rule, command: Command, word: Word): Judged {
  return judged(rule, command, "read", { word, severity: "medium" });
}

/** Names, counts and hashes of secrets are no secrets. */
function hidesValues(command: Command): boolean {
  const text = command.argv.map((w) => w.value).join(" ").slice(0, 2000);
  switch (command.program) {
    case "grep":
    case "egrep":
    case "fgrep":
    case "rg":
      return / (?:-[a-zA-Z]{0,6}[qclL][a-zA-Z]{0,6}|--(?:quiet|count|files-with-matches|silent))(?: |$)/
        .test(text) ||
        /-o\w? .{0,40}(?:\^|\[)[^=]{0,60}(?:=?['"]?)(?: |$)/.test(text) &&
          !/=\.[*+]/.test(text);
    case "cut":
      return /-f ?1(?: |$)/.test(text) && /-d ?=/.test(text);
    case "awk":
    case "gawk":
    case "mawk":
      return /-F ?=/.test(text) && /print \$1\b/.test(text) &&
        !/\$[2-9]/.test(text);
    case "sed":
    case "gsed":
      return /s[/|#,]=\.\*|s[/|#,][^/|#,]{0,60}=[^/|#,]{0,20}\.\*/.test(text);
    case "wc":
    case "sha256sum":
    case "md5sum":
      return true;
    case "head":
    case "tail":
      return / -c ?0| -n ?0/.test(text);
    default:
      return false;
  }
}

/** `export $(cat .env)` sets variables and prints nothing. */
function feedsEnvironment(
  command: Command,
  commands: readonly Command[],
): boolean {
  let host: Command | undefined = command;
  for (let i = 0; i < 8 && host; i++) {
    if (
      /^(?:export|env|declare|set|eval)$/.test(host.program) && host !== command
    ) return true;
    const next: Command | undefined = host.within === undefined
      ? undefined
      : commands[host.within];
    host = next;
  }
  return false;
}
