/**
 * Takes launchers off a command: what does `sudo timeout 5 kubectl …` start?
 *
 * @module
 */
import {
  ENGINE_RUN_VALUES,
  ENGINES,
  IMAGE_PROGRAM,
  type Launcher,
  LAUNCHER_OF,
  NIX_PROGRAM,
  SHELLS,
} from "./launchers.ts";
import type { Word } from "./types.ts";

/** What a command starts. */
export type Started =
  /** These words, in its place or beside it. */
  | { kind: "argv"; row: Launcher; words: Word[]; assigned: Word[] }
  /** A command line. `rest` are words that are joined to it. */
  | { kind: "text"; row: Launcher; texts: Word[][] }
  /** A script read from its input. */
  | { kind: "input"; elsewhere: boolean };

const SHELL_ROW: Launcher = { names: [], keeps: true };
const PLAIN_ROW: Launcher = { names: [] };
const DOCKER_ROW: Launcher = {
  names: [],
  keeps: true,
  elsewhere: "container",
};
const FIND_ROW: Launcher = { names: [], keeps: true };

/** A name that is its own base name: most are. */
const PLAIN_NAME = /^[a-z0-9_-]{1,60}$/;

/** Base name in lower case, without `.exe` and the like; "" if unknown. */
export function programName(word: Word | undefined): string {
  if (!word) return "";
  let value = word.value;
  if (PLAIN_NAME.test(value)) return value;
  const slash = Math.max(value.lastIndexOf("/"), value.lastIndexOf("\\"));
  if (slash >= 0) value = value.slice(slash + 1);
  if (value.length > 200 || value.includes("‹›")) return "";
  return value.toLowerCase().replace(/\.(?:exe|cmd|bat|com)$/, "");
}

/** The program that a package spec names: `wrangler@3` -> `wrangler`. */
export function packageName(spec: string): string {
  const at = spec.lastIndexOf("@");
  const bare = at > 0 ? spec.slice(0, at) : spec;
  return bare.replace(/^(?:npm|jsr):\/?/, "").toLowerCase();
}

/** Programs whose words need more than a row of the table to be read. */
const READERS: ReadonlyMap<string, (argv: Word[]) => Started | undefined> =
  new Map([
    ...[...SHELLS].map((name) => [name, shell] as const),
    ["powershell", powershell],
    ["pwsh", powershell],
    ["cmd", cmd],
    ...["find", "fd", "fdfind"].map((name) => [name, findExec] as const),
    ...["start", "start-process", "saps"].map((name) =>
      [name, startProcess] as const
    ),
    ...["minikube", "microk8s", "k3s", "k0s"].map((name) =>
      [name, ownKubectl] as const
    ),
    ["tmux", tmux],
    ["at", atTime],
    ["batch", atTime],
    ["screen", screen],
  ]);
const PYTHON = /^(?:python|pypy|py)[\d.]*$/;

/** What a command starts; undefined where it starts nothing else. */
export function started(
  argv: Word[],
  program: string = programName(argv[0]),
): Started | undefined {
  if (program === "") return undefined;
  const reader = READERS.get(program);
  if (reader) return reader(argv);
  if (program.startsWith("py") && PYTHON.test(program)) {
    return pythonModule(argv);
  }
  const rows = LAUNCHER_OF.get(program);
  if (program === "nix") {
    const run = nixRun(argv);
    if (run) return run;
  } else if (ENGINES.has(program)) {
    const run = engineRun(argv);
    if (run) return run;
  }
  if (!rows) return undefined;
  for (const row of rows) {
    const found = byRow(row, argv);
    if (found) return found;
  }
  return undefined;
}

/** `at now` reads a script, unless it asks or a file holds it. */
function atTime(argv: Word[]): Started | undefined {
  return argv.some((w) => /^-[a-zA-Z]{0,4}[lrdcfV]/.test(w.value))
    ? undefined
    : { kind: "input", elsewhere: false };
}

/** `minikube kubectl -- get pods`. */
function ownKubectl(argv: Word[]): Started | undefined {
  const words = argv.slice(1).filter((w, i) => i !== 1 || w.value !== "--");
  return words[0]?.value === "kubectl"
    ? { kind: "argv", row: PLAIN_ROW, words, assigned: [] }
    : undefined;
}

/** Skips options from `i` on; returns the index of the first other word. */
function skipOptions(
  argv: Word[],
  from: number,
  valued: readonly string[] | ReadonlySet<string> | undefined,
): { at: number; dashes: boolean } {
  const has = (option: string): boolean =>
    valued === undefined
      ? false
      : "has" in valued
      ? valued.has(option)
      : valued.includes(option);
  let i = from;
  for (; i < argv.length; i++) {
    const value = argv[i]?.value ?? "";
    if (value === "--") return { at: i + 1, dashes: true };
    if (!value.startsWith("-") || value.length < 2) break;
    if (has(value)) i++;
    else if (
      /^-[A-Za-z]{2,8}$/.test(value) && !has(value.slice(0, 2)) &&
      has(`-${value[value.length - 1]}`)
    ) i++;
  }
  return { at: i, dashes: false };
}

function subEnd(row: Launcher, argv: Word[]): number {
  if (!row.sub) return 1;
  for (const sub of row.sub) {
    const words = sub.split(" ");
    // Options may stand before the sub-command: `kubectl -n web exec`.
    let at = 1;
    let ok = true;
    for (const word of words) {
      at = skipOptions(argv, at, row.valued).at;
      if (argv[at]?.value !== word) {
        ok = false;
        break;
      }
      at++;
    }
    if (ok) return at;
  }
  return -1;
}

function byRow(row: Launcher, argv: Word[]): Started | undefined {
  let at = subEnd(row, argv);
  if (at < 0) return undefined;
  if (row.asks) {
    for (let i = at; i < argv.length; i++) {
      const value = argv[i]?.value ?? "";
      if (!value.startsWith("-")) break;
      if (row.asks.includes(value)) return undefined;
    }
  }
  if (row.text) {
    let before = row.skip ?? 0;
    for (let i = at; i < argv.length; i++) {
      const value = argv[i]?.value ?? "";
      if (value === "--") break;
      const text = argv[i + 1];
      const last = `-${value[value.length - 1]}`;
      if (
        text && (row.text.includes(value) ||
          /^-[A-Za-z]{2,8}$/.test(value) && row.text.includes(last))
      ) {
        return { kind: "text", row, texts: [[text]] };
      }
      const eq = value.indexOf("=");
      const word = argv[i];
      if (eq > 0 && word && row.text.includes(value.slice(0, eq))) {
        return { kind: "text", row, texts: [[word]] };
      }
      // `flock LOCK -c TEXT`
      if (row.skip && row.valued?.includes(value)) i++;
      else if (
        !value.startsWith("-") && !row.dashes && !row.sub && before-- <= 0
      ) break;
    }
  }
  const assigned: Word[] = [];
  if (row.dashes) {
    const dashes = argv.findIndex((w, i) => i >= at && w.value === "--");
    if (dashes < 0 || dashes + 1 >= argv.length) return undefined;
    return { kind: "argv", row, words: argv.slice(dashes + 1), assigned };
  }
  let options = skipOptions(argv, at, row.valued);
  at = options.at;
  // `saml2aws exec -a prod -- CMD`: the options have named what is skipped.
  const named = options.dashes && row.sub !== undefined && !row.keeps;
  for (let n = named ? 0 : row.skip ?? 0; n > 0 && at < argv.length; n--) {
    at++;
    options = skipOptions(argv, at, row.valued);
    // After the host, `ssh` still takes options; a container's command not.
    at = options.at;
  }
  if (row.assigns) {
    while (/^[A-Za-z_]\w{0,100}=/.test(argv[at]?.value ?? "")) {
      const word = argv[at++];
      if (word) assigned.push(word);
    }
  }
  const rest = argv.slice(at);
  if (rest.length === 0) {
    return row.elsewhere === "host" && row.join
      ? { kind: "input", elsewhere: true }
      : undefined;
  }
  if (row.each) {
    return { kind: "text", row, texts: rest.map((word) => [word]) };
  }
  if (row.join) return { kind: "text", row, texts: [rest] };
  return { kind: "argv", row, words: rest, assigned };
}

function shell(argv: Word[]): Started | undefined {
  for (let i = 1; i < argv.length; i++) {
    const value = argv[i]?.value ?? "";
    if (value === "-" || value === "--") break;
    if (!/^[-+]/.test(value)) return undefined;
    if (/^-[A-Za-z]{0,8}c[A-Za-z]{0,8}$/.test(value)) {
      let at = i + 1;
      while (/^-\w/.test(argv[at]?.value ?? "")) at++;
      const text = argv[at];
      return text
        ? { kind: "text", row: SHELL_ROW, texts: [[text]] }
        : undefined;
    }
    if (
      /^[-+][A-Za-z]{0,8}[oO]$/.test(value) ||
      /^--(?:rc|init-)file$/.test(value)
    ) {
      i++;
    }
    if (/^-[A-Za-z]{0,8}s$/.test(value)) break;
  }
  return { kind: "input", elsewhere: false };
}

function powershell(argv: Word[]): Started | undefined {
  for (let i = 1; i < argv.length; i++) {
    const value = (argv[i]?.value ?? "").toLowerCase();
    if (/^[-/](?:c|command|commandwithargs)$/.test(value)) {
      const rest = argv.slice(i + 1);
      return rest.length
        ? { kind: "text", row: SHELL_ROW, texts: [rest] }
        : undefined;
    }
    if (/^[-/](?:f|file|e|ec|enc|encodedcommand)$/.test(value)) {
      return undefined;
    }
    if (
      /^[-/](?:ep|ex\w{0,14}|executionpolicy|w\w{0,12}|version)$/.test(value)
    ) {
      i++;
    } else if (!/^[-/]/.test(value)) {
      return { kind: "text", row: SHELL_ROW, texts: [argv.slice(i)] };
    }
  }
  return undefined;
}

function cmd(argv: Word[]): Started | undefined {
  // `//c` is how Git Bash writes it.
  const at = argv.findIndex((w, i) => i > 0 && /^\/{1,2}[ckr]$/i.test(w.value));
  const rest = at < 0 ? [] : argv.slice(at + 1);
  return rest.length
    ? { kind: "text", row: SHELL_ROW, texts: [rest] }
    : undefined;
}

function findExec(argv: Word[]): Started | undefined {
  const at = argv.findIndex((w) =>
    /^(?:-exec|-execdir|-ok|-okdir|-x|-X|--exec|--exec-batch)$/.test(w.value)
  );
  if (at < 0) return undefined;
  const words = argv.slice(at + 1);
  const end = words.findIndex((w) => w.value === ";" || w.value === "+");
  const inner = end < 0 ? words : words.slice(0, end);
  return inner.length
    ? { kind: "argv", row: FIND_ROW, words: inner, assigned: [] }
    : undefined;
}

function pythonModule(argv: Word[]): Started | undefined {
  for (let i = 1; i < argv.length; i++) {
    const value = argv[i]?.value ?? "";
    if (!value.startsWith("-")) return undefined;
    if (value === "-m") {
      const words = argv.slice(i + 1);
      return words.length
        ? { kind: "argv", row: PLAIN_ROW, words, assigned: [] }
        : undefined;
    }
    if (value === "-c") return undefined;
    if (value === "-W" || value === "-X") i++;
  }
  return undefined;
}

/** `start /b "title" CMD` of cmd, `Start-Process CMD -ArgumentList …`. */
function startProcess(argv: Word[]): Started | undefined {
  const words: Word[] = [];
  for (let i = 1; i < argv.length; i++) {
    const word = argv[i];
    if (!word) continue;
    const { value } = word;
    const option = value.toLowerCase();
    if (/^-(?:filepath|argumentlist|args)$/.test(option)) continue;
    if (/^-(?:wait|nonewwindow|passthru)$/.test(option)) continue;
    if (
      /^-(?:verb|windowstyle|workingdirectory|redirect\w{1,20}|credential)$/
        .test(option)
    ) {
      i++;
      continue;
    }
    if (words.length === 0 && (/^\/\w/.test(value) || value === "")) continue;
    // A quoted first word is the window's title, if a command follows.
    if (
      words.length === 0 && word.quoted && argv[i + 1] &&
      programName(argv[0]) === "start"
    ) {
      continue;
    }
    if (
      words.length > 0 && /^[^\s].{0,4000}[, ]/s.test(value) &&
      programName(argv[0]) !== "start"
    ) {
      for (const part of value.split(/[, ]+/)) {
        words.push({ ...word, value: part });
      }
    } else words.push(word);
  }
  return words.length > 0
    ? { kind: "argv", row: PLAIN_ROW, words, assigned: [] }
    : undefined;
}

/** `nix run nixpkgs#awscli2 -- s3 ls`: the package names the program. */
function nixRun(argv: Word[]): Started | undefined {
  const at = skipOptions(argv, 1, undefined).at;
  if (argv[at]?.value !== "run") return undefined;
  const spec = argv[skipOptions(argv, at + 1, undefined).at];
  if (!spec) return undefined;
  const attribute = spec.value.slice(spec.value.lastIndexOf("#") + 1);
  const dashes = argv.findIndex((w) => w.value === "--");
  const rest = dashes < 0 ? [] : argv.slice(dashes + 1);
  const value = NIX_PROGRAM.get(attribute) ?? attribute;
  return {
    kind: "argv",
    row: PLAIN_ROW,
    words: [{ ...spec, value }, ...rest],
    assigned: [],
  };
}

function tmux(argv: Word[]): Started | undefined {
  const { at } = skipOptions(argv, 1, ["-L", "-S", "-f"]);
  const sub = argv[at]?.value ?? "";
  const keys = /^(?:send-keys|send)$/.test(sub);
  if (
    !keys &&
    !/^(?:new|new-session|neww|new-window|splitw|split-window|respawn-pane|respawn-window|popup|display-popup|run|run-shell)$/
      .test(sub)
  ) return undefined;
  const rest = argv.slice(
    skipOptions(argv, at + 1, [
      "-t",
      "-s",
      "-n",
      "-c",
      "-x",
      "-y",
      "-e",
      "-F",
      "-N",
      "-l",
      "-p",
    ]).at,
  ).filter((w) =>
    !/^(?:Enter|Escape|Tab|Space|BSpace|Up|Down|Left|Right|[CM]-\S{1,6}|KPEnter)$/
      .test(w.value)
  );
  if (rest.length === 0) return undefined;
  return keys
    ? { kind: "text", row: SHELL_ROW, texts: rest.map((w) => [w]) }
    : { kind: "text", row: SHELL_ROW, texts: [rest] };
}

function screen(argv: Word[]): Started | undefined {
  const stuff = argv.findIndex((w) => w.value === "stuff");
  const text = stuff > 0 ? argv[stuff + 1] : undefined;
  if (text) return { kind: "text", row: SHELL_ROW, texts: [[text]] };
  const { at } = skipOptions(argv, 1, [
    "-S",
    "-t",
    "-c",
    "-h",
    "-s",
    "-T",
    "-p",
  ]);
  const words = argv.slice(at);
  return words.length
    ? { kind: "argv", row: SHELL_ROW, words, assigned: [] }
    : undefined;
}

/** `docker run [options] IMAGE [CMD…]`, by the image's own program. */
function engineRun(argv: Word[]): Started | undefined {
  let at = skipOptions(argv, 1, ["-H", "-c", "--context", "--host", "-l"]).at;
  if (argv[at]?.value === "container") at++;
  const sub = argv[at]?.value;
  if (sub !== "run" && sub !== "create") return undefined;
  let entry: Word | undefined;
  for (let i = at + 1; i < argv.length; i++) {
    const value = argv[i]?.value ?? "";
    if (value === "--entrypoint") entry = argv[i + 1];
    else if (value.startsWith("--entrypoint=")) {
      const word = argv[i];
      if (word) {
        entry = { ...word, value: value.slice("--entrypoint=".length) };
      }
    } else if (!value.startsWith("-")) {
      if (!ENGINE_RUN_VALUES.has(argv[i - 1]?.value ?? "")) break;
    }
  }
  const image = skipOptions(argv, at + 1, ENGINE_RUN_VALUES).at;
  const name = argv[image];
  if (!name) return undefined;
  const rest = argv.slice(image + 1);
  const own = entry ?? imageWord(name);
  const words = own ? [own, ...rest] : rest;
  return words.length
    ? { kind: "argv", row: DOCKER_ROW, words, assigned: [] }
    : undefined;
}

function imageWord(word: Word): Word | undefined {
  const bare = word.value.replace(/@sha256:\w{0,80}$/, "").replace(
    /:[\w.-]{0,128}$/,
    "",
  );
  const parts = bare.split("/");
  const program = IMAGE_PROGRAM.get(bare) ??
    IMAGE_PROGRAM.get(parts.slice(-2).join("/")) ??
    (parts[parts.length - 1] === "swamp" ? "swamp" : undefined);
  return program ? { ...word, value: program } : undefined;
}
