/**
 * What files say about a command: swamp's own data, definitions written by
 * hand, and files that hold secrets.
 *
 * @module
 */
import type { Command, Word } from "../../shell/types.ts";
import {
  type Judge,
  type Judged,
  judged,
  type Rule,
  type Scene,
} from "../rule.ts";
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
export const judgeSwampRead: Judge = (
  command,
  rule,
  scene,
): ReturnType<Judge> => {
  if (!scene.files.swamp) return undefined;
  const { reads, known } = operands(handed(command, scene));
  const name = command.program;
  const inside = inSwamp(command, scene);
  const word =
    reads.find((w) =>
      isSwampPath(w.value) || inside && known && isRelative(w.value)
    ) ??
      (inside && (PRINTERS.has(name) || /^(?:ls|find|tree|du)$/.test(name))
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
export const judgeSwampWrite: Judge = (
  command,
  rule,
  scene,
): ReturnType<Judge> => {
  if (!scene.files.swamp) return undefined;
  const { reads, writes } = operands(handed(command, scene));
  const inside = inSwamp(command, scene);
  const lies = (w: Word) =>
    isSwampPath(w.value) || inside && isRelative(w.value);
  let word = writes.find(lies);
  if (!word && /^(?:sqlite3?|duckdb)$/.test(command.program)) {
    word = reads.find(lies);
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
    writes.every((w) =>
      !lies(w) || BUNDLES.test(w.value) ||
      inside && BUNDLES.test(`.swamp/${w.value}`)
    )
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

/** Whether the line has changed into `.swamp/` before a command of it. */
function inSwamp(command: Command, scene: Scene): boolean {
  const { commands } = scene.parse;
  let inside = false;
  for (let i = Math.max(0, scene.at - 20); i < scene.at; i++) {
    const other = commands[i];
    if (!other || other.depth > command.depth) continue;
    if (other.program === "popd") inside = false;
    if (!/^(?:cd|pushd|set-location|sl)$/.test(other.program)) continue;
    const to = other.argv[1]?.value ?? "";
    // `(cd .swamp && x); y`: the change ends with its subshell.
    const ends = !other.inside &&
      closes(scene.text.slice(other.end, command.start));
    inside = !ends && (isSwampPath(to) || inside && isRelative(to));
  }
  return inside;
}

/** Whether a text closes a bracket that it has not opened. */
function closes(text: string): boolean {
  let open = 0;
  for (const c of text.slice(0, 4000)) {
    if (c === "(") open++;
    else if (c === ")" && --open < 0) return true;
  }
  return false;
}

/** A path that does not leave the folder one is in. */
function isRelative(path: string): boolean {
  return path !== "" && !/^(?:[/\\~‹$-]|[A-Za-z]:|\.\.)/.test(path);
}

/** Programs between one that names files and `xargs`. */
const PASSES =
  /^(?:head|tail|sort|uniq|grep|egrep|rg|tr|sed|awk|shuf|tac|cat|tee)$/;

/**
 * A command with the files that another hands it: `find P -exec rm {} +`,
 * `find P | xargs rm`.
 */
function handed(command: Command, scene: Scene): Command {
  const { commands } = scene.parse;
  let from = command.within;
  if (command.launchers.includes("xargs")) {
    from = command.stdin;
    for (let i = 0; i < 4 && from !== undefined; i++) {
      const next = commands[from];
      if (!next?.program.match(PASSES) || next.stdin === undefined) break;
      from = next.stdin;
    }
  }
  const giver = from === undefined ? undefined : commands[from];
  if (!giver || !/^(?:find|fd|fdfind|ls|echo|printf)$/.test(giver.program)) {
    return command;
  }
  const files = /^(?:echo|printf)$/.test(giver.program)
    ? giver.argv.slice(1)
    : operands(giver).reads;
  const paths = files.filter((w) => isSwampPath(w.value));
  if (paths.length === 0) return command;
  const argv = command.argv.some((w) => w.value === "{}")
    ? command.argv.flatMap((w) => w.value === "{}" ? paths : [w])
    : [...command.argv, ...paths];
  return { ...command, argv };
}

/** A definition written from scratch, which swamp makes with `create`. */
export const judgeHandmade: Judge = (
  command,
  rule,
  scene,
): ReturnType<Judge> => {
  if (
    !scene.files.definitions ||
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
export const judgeSecretFile: Judge = (
  command,
  rule,
  scene,
): ReturnType<Judge> => {
  if (!PRINTERS.has(command.program) || !scene.files.secrets) return undefined;
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
