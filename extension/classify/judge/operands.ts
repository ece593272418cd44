/**
 * Which files a command reads and writes, by what its program is known to do
 * with its words.
 *
 * @module
 */
import type { Command, Word } from "../../shell/types.ts";
import { optionValue } from "../rule.ts";

/** Files of a command. */
export interface Operands {
  /** Words that name files it reads. */
  reads: Word[];
  /** Words that name files it writes, moves or removes. */
  writes: Word[];
  /** The program is known, so the lists are more than a guess. */
  known: boolean;
}

/** Programs that print what is in files. */
export const PRINTERS: ReadonlySet<string> = new Set(
  ("cat less more head tail bat batcat nl tac rev od xxd hexdump strings base64 json.tool paste column fold " +
    "zcat zless jq yq gojq jaq dasel xq fx grep egrep fgrep zgrep rg ag ack ripgrep awk gawk mawk sed gsed " +
    "cut sort uniq comm diff cmp vimdiff colordiff delta get-content gc select-string sls type most pygmentize view ccat glow mlr xsv csvcut findstr")
    .split(" "),
);
/** Programs that look at files without printing them. */
const LOOKERS = new Set(
  ("ls ll la l exa eza lsd tree du df wc stat file md5sum sha1sum sha256sum shasum cksum find fd fdfind locate readlink realpath " +
    "get-childitem gci dir get-item gi test-path resolve-path tar zip gzip unzip 7z rclone restic borg split shellcheck yamllint " +
    "sqlite3 duckdb sqlite datasette source . python python3 node deno bun ruby perl php bash sh zsh open xdg-open code")
    .split(" "),
);
/** Programs whose words all name what they change. */
const CHANGERS = new Set(
  ("rm rmdir unlink shred truncate touch mkdir chmod chown chgrp tee ln install trash rimraf del rd erase remove-item ri " +
    "set-content sc add-content ac out-file clear-content new-item ni md vim vi nvim nano emacs ed ex pico micro hx setfacl chattr sponge mktemp")
    .split(" "),
);
/** Programs whose last word is where they write to. */
const COPIERS = new Set(
  "cp gcp rsync scp copy xcopy robocopy copy-item cpi ditto".split(" "),
);
const MOVERS = new Set(
  "mv gmv move move-item mi rename rename-item ren".split(" "),
);
/** Programs whose first word is a pattern or a script, no file. */
const FILTERS = new Set(
  ("grep egrep fgrep zgrep rg ag ack ripgrep awk gawk mawk sed gsed jq yq gojq jaq dasel xq mlr fd fdfind select-string sls findstr tr")
    .split(" "),
);
/** Programs that only name files, or never touch them. */
const SPEAKERS = new Set(
  ("git echo printf cd pushd popd test [ [[ swamp export set which hash alias unset read true false : " +
    "gh docker podman kubectl npm pnpm yarn make write-host write-output set-location sl hub glab svn hg jj")
    .split(" "),
);

const VALUES: Readonly<Record<string, ReadonlySet<string>>> = {
  grep: new Set([
    "-A",
    "-B",
    "-C",
    "-m",
    "--include",
    "--exclude",
    "--exclude-dir",
    "-d",
    "-D",
    "--color",
  ]),
  rg: new Set([
    "-A",
    "-B",
    "-C",
    "-m",
    "-g",
    "--glob",
    "-t",
    "-T",
    "--type",
    "--iglob",
    "-M",
    "-j",
    "-r",
    "--max-depth",
  ]),
  head: new Set(["-n", "-c"]),
  tail: new Set(["-n", "-c", "-s"]),
  awk: new Set(["-F", "-v"]),
  jq: new Set(["--indent", "-L"]),
  sed: new Set(["-l"]),
  cut: new Set(["-d", "-f", "-c", "-b"]),
  sort: new Set(["-k", "-t", "-o", "-S"]),
  tree: new Set(["-L", "-I", "-P"]),
  diff: new Set(["-x", "-X", "-I"]),
  fd: new Set(["-E", "-e", "-t", "-d"]),
  rsync: new Set([
    "-e",
    "--rsh",
    "-f",
    "--filter",
    "--include",
    "--files-from",
  ]),
  ls: new Set(["-I"]),
  tee: new Set([]),
};
/** Programs that take the options of another. */
const SAME: Readonly<Record<string, string>> = {
  egrep: "grep",
  fgrep: "grep",
  zgrep: "grep",
  ag: "grep",
  ack: "grep",
  ripgrep: "rg",
  gawk: "awk",
  mawk: "awk",
  gsed: "sed",
  fdfind: "fd",
  gojq: "jq",
  jaq: "jq",
};

/** Options that name what a program leaves alone. */
const LEFT_OUT = /^--(?:exclude|ignore)(?:-[a-z]{2,12})?$/;
/** Options that name where a program writes to, whatever the program. */
const OUTPUT =
  /^(?:-o|-out|--out|--outfile|--output|--output-(?:file|document|dir))(?:=|$)/;
/** Programs that fetch; their other words are no files. */
const FETCHERS = new Set(
  "curl wget wget2 http https xh aria2c invoke-webrequest iwr".split(" "),
);

/** Files of a command, redirects included. */
export function operands(command: Command): Operands {
  const reads: Word[] = [];
  const writes: Word[] = [];
  for (const { op, target } of command.redirects) {
    if (!target || op.startsWith("<<")) continue;
    if (op === "<") reads.push(target);
    else if (op !== ">&" && op !== "<&" || !/^[\d-]+$/.test(target.value)) {
      writes.push(target);
    }
  }
  const program = command.program;
  if (program === "git") {
    writes.push(...restored(command));
    // The only way of git's to look at files as they are.
    if (command.argv.some((w) => w.value === "--no-index")) {
      reads.push(...command.argv.slice(2));
    }
    return { reads, writes, known: true };
  }
  if (SPEAKERS.has(program) || command.argv.length === 0) {
    return { reads, writes, known: true };
  }
  if (program === "apply_patch" || program === "applypatch") {
    const body = command.redirects.find((r) => r.body)?.body ?? command.argv[1];
    if (body) writes.push(...patched(body));
    return { reads, writes, known: true };
  }
  if (FETCHERS.has(program)) {
    fetched(command, reads, writes);
    return { reads, writes, known: true };
  }
  const plain = operandsOf(command);
  const last = plain[plain.length - 1];
  if (CHANGERS.has(program)) {
    // `vim -R` only shows.
    const shows = /^n?vim?$/.test(program) &&
      command.argv.some((w) => w.value === "-R");
    (shows ? reads : writes).push(...plain);
  } else if (program === "unzip" || program === "patch") {
    const into = optionValue(command, program === "patch" ? "-o" : "-d");
    const own = plain.filter((w) => w !== into);
    (program === "patch" ? writes : reads).push(...own);
    if (into) writes.push(into);
  } else if (MOVERS.has(program)) writes.push(...plain);
  else if (COPIERS.has(program)) {
    reads.push(...plain.slice(0, -1));
    if (last) writes.push(last);
  } else if (program === "dd") {
    for (const word of plain) {
      if (word.value.startsWith("of=")) {
        writes.push({ ...word, value: word.value.slice(3) });
      } else if (word.value.startsWith("if=")) {
        reads.push({ ...word, value: word.value.slice(3) });
      }
    }
  } else if (program === "find" || program === "fd" || program === "fdfind") {
    const removes = command.argv.some((w) =>
      /^-(?:delete|fprint\w{0,3})$/.test(w.value)
    );
    (removes ? writes : reads).push(...plain, ...sought(command));
  } else if (program === "sed" || program === "gsed" || program === "perl") {
    const inPlace = command.argv.some((w) =>
      /^(?:-[a-zA-Z]{0,3}i.{0,20}|--in-place.{0,20})$/.test(w.value)
    );
    (inPlace ? writes : reads).push(...plain);
  } else if (program === "yq" || program === "jq") {
    const inPlace = command.argv.some((w) =>
      /^(?:-i|--inplace|-in)$/.test(w.value)
    );
    (inPlace && program === "yq" ? writes : reads).push(...plain);
  } else if (program === "tar") {
    const extracts = /^-?[a-zA-Z]{0,6}x/.test(command.argv[1]?.value ?? "") ||
      command.argv.some((w) => w.value === "--extract");
    (extracts ? writes : reads).push(...plain);
  } else if (/^(?:sqlite3?|duckdb)$/.test(program)) {
    reads.push(...plain, ...inQuotes(command));
  } else if (PRINTERS.has(program) || LOOKERS.has(program)) {
    reads.push(...plain);
  } else {
    const out = outputsOf(command);
    reads.push(...plain.filter((w) => !out.includes(w)));
    writes.push(...out);
    return { reads, writes, known: false };
  }
  return { reads, writes, known: true };
}

/** `duckdb -c "select * from 'x.json'"`: files that a statement names. */
function inQuotes(command: Command): Word[] {
  return command.argv.flatMap((word) =>
    [
      ...word.value.slice(0, 4000).matchAll(
        /'([^'\s]{1,400}[/\\][^'\s]{1,400})'/g,
      ),
    ]
      .map((m) => ({ ...word, value: m[1] ?? "" }))
  );
}

/** Files that git removes, moves or puts back as they were. */
function restored(command: Command): Word[] {
  const [, verb, ...rest] = command.argv;
  if (!/^(?:rm|mv|checkout|restore|clean)$/.test(verb?.value ?? "")) return [];
  const spares = rest.some((w) =>
    /^(?:--cached|--staged|--dry-run|-n|-[a-z]{0,4}n[a-z]{0,4}|-b|-B)$/.test(
      w.value,
    )
  );
  return spares ? [] : rest.filter((w, i) =>
    !w.value.startsWith("-") &&
    !/^(?:-e|--exclude)$/.test(rest[i - 1]?.value ?? "")
  );
}

/** Where options say that a program writes to. */
function outputsOf(command: Command): Word[] {
  const out: Word[] = [];
  command.argv.forEach((word, i) => {
    const m = OUTPUT.exec(word.value);
    if (!m) return;
    if (!m[0].endsWith("=")) {
      const next = command.argv[i + 1];
      if (next) out.push(next);
    } else out.push({ ...word, value: word.value.slice(m[0].length) });
  });
  return out;
}

/** Files of a program that fetches: `-o FILE`, `-d @FILE`, `-T FILE`. */
function fetched(command: Command, reads: Word[], writes: Word[]): void {
  writes.push(...outputsOf(command));
  const wget = command.program.startsWith("wget");
  command.argv.forEach((word, i) => {
    const before = command.argv[i - 1]?.value ?? "";
    const at = /^(?:[\w-]{0,60}=)?@(.{1,1000})$/s.exec(word.value);
    if (at) reads.push({ ...word, value: at[1] ?? "" });
    else if (/^(?:-T|--upload-file|--post-file|--body-file)$/.test(before)) {
      reads.push(word);
    } else if (
      wget
        ? /^-[a-zA-Z]{0,8}[OP]$|^--directory-prefix$/.test(before)
        : /^-[a-zA-Z]{1,8}o$|^-OutFile$/i.test(before)
    ) writes.push(word);
  });
}

/** `find . -path './x/*'`: what it looks for, unless it is left out. */
function sought(command: Command): Word[] {
  const { argv } = command;
  return argv.filter((_, i) =>
    /^-(?:i?path|i?wholename)$/.test(argv[i - 1]?.value ?? "") &&
    !/^(?:!|-not)$/.test(argv[i - 2]?.value ?? "") &&
    argv[i + 1]?.value !== "-prune"
  );
}

/** Files that a patch in Codex's format names. */
function patched(body: Word): Word[] {
  return [
    ...body.value.slice(0, 200_000).matchAll(
      /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.{1,1000})$/gm,
    ),
  ].map((m) => ({ ...body, value: m[1] ?? "" }));
}

function operandsOf(command: Command): Word[] {
  const { program, argv } = command;
  const valued = VALUES[SAME[program] ?? program];
  const out: Word[] = [];
  let script = FILTERS.has(program);
  let plain = false;
  for (let i = 1; i < argv.length; i++) {
    const word = argv[i];
    if (!word) continue;
    const { value } = word;
    if (!plain && value === "--") {
      plain = true;
      continue;
    }
    if (!plain && value.startsWith("-") && value.length > 1) {
      if (program === "find") break;
      // A pattern or a script given by option is not the first word.
      if (FILTERS.has(program)) {
        if (/^(?:-e|--regexp|--expression)$/.test(value)) {
          script = false;
          i++;
        } else if (/^(?:-f|--file|--from-file)$/.test(value)) {
          script = false;
          const file = argv[++i];
          if (file) out.push(file);
        }
      }
      if (program === "rg" && value === "--files") script = false;
      if (
        /^(?:jq|gojq|jaq)$/.test(program) &&
        /^--(?:arg|argjson|slurpfile|rawfile)$/.test(value)
      ) {
        i += 2;
      }
      if (valued?.has(value) || LEFT_OUT.test(value)) i++;
      continue;
    }
    if (program === "find" && /^[!(]/.test(value)) break;
    if (script) {
      script = false;
      continue;
    }
    out.push(word);
  }
  return out;
}
