/**
 * Other machines: shells on them, and copies to and from them.
 *
 * @module
 */
import { type Command, UNKNOWN, type Word } from "../../shell/types.ts";
import {
  byTable,
  hasOption,
  type Judge,
  type Judged,
  judged,
  optionValue,
  positionals,
  type Rule,
  words,
} from "../rule.ts";
import { AUTH_QUERY, readRequest, type Request } from "./request.ts";

const SSH_VALUED = new Set(
  words(
    "-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -P -Q -R -S -W -w -B -d -n -h",
  ),
);
const FORGE =
  /(?:^|@)(?:git@)?(?:[\w.-]{0,60}\.)?(?:github|gitlab|bitbucket|codeberg|gitea|sr|ssh\.dev\.azure|hf)\.(?:com|org|ht|co)$/i;

function hostOf(value: string): string {
  const bare = value.replace(/^ssh:\/\//, "").replace(/^[^@/]{0,100}@/, "");
  return bare.replace(/:\d{1,5}$/, "").toLowerCase();
}

/** These name their hosts by options. */
const MANY_HOSTS = new Set(words("pssh parallel-ssh pdsh clush"));

/** `ssh HOST …`: what runs there is folded in by the caller. */
export const judgeSsh: Judge = (command, rule): ReturnType<Judge> => {
  if (
    hasOption(command, "-V") || hasOption(command, "-Q") ||
    hasOption(command, "--help") || hasOption(command, "--version") ||
    hasOption(command, "-G")
  ) return judged(rule, command, "neutral");
  const host = MANY_HOSTS.has(command.program)
    ? optionValue(command, "-h", "-H", "-w", "-g")
    : positionals(command, SSH_VALUED)[0];
  if (!host) return judged(rule, command, "neutral");
  // Without a host these start a program here.
  if (/exec/.test(command.program) && !host.value.startsWith("\\")) {
    return undefined;
  }
  const name = hostOf(host.value);
  if (/^git@/.test(host.value) || FORGE.test(name)) {
    return judged(rule, command, "neutral", {
      word: host,
      category: "neutral.vcs",
      tags: ["credcheck"],
    });
  }
  if (isLocalHost(name)) {
    return judged(rule, command, "neutral", { word: host, mutating: true });
  }
  // A connection that runs nothing: a tunnel, or closing one.
  const before = command.argv.slice(1, command.argv.indexOf(host));
  const tunnel = hasOption(command, "-N") || hasOption(command, "-O") ||
    before.some((w) => /^-[a-zA-Z]{1,8}N/.test(w.value));
  return judged(rule, command, tunnel ? "read" : "write", {
    start: command.argv[0]?.start ?? command.start,
    end: Math.max(host.end, Math.min(command.end, host.end + 400)),
  });
};

/** `aws ssm start-session` is as its document is; the rest is in the table. */
export const judgeCloudShell: Judge = (
  command,
  rule,
  scene,
): ReturnType<Judge> => {
  const hit = byTable(command, rule);
  const document = hit?.label === "bypass" && command.program === "aws"
    ? optionValue(command, "--document-name")?.value
    : undefined;
  if (!hit || document === undefined) return hit;
  if (/PortForwarding|SSHSession/.test(document)) {
    return { ...hit, mutating: false };
  }
  const given = optionValue(command, "--parameters")?.value ?? "";
  const text = /command"?\s{0,4}[=:]\s{0,4}\[?\s{0,4}"?(.{1,1000})$/s.exec(
    given,
  )?.[1]
    ?.replace(/"?\s{0,4}\]?\s{0,4}\}?\s{0,4}$/, "");
  const inner = text ? scene.nested(text) : [];
  const reads = inner.length > 0 && inner.every((h) => h.mutating === false);
  return { ...hit, mutating: !reads };
};

const COPY_VALUED = new Set(
  words(
    "-c -D -F -i -J -l -o -P -S -X -e --rsh --exclude --include --exclude-from --include-from --files-from --bwlimit --port --password-file --log-file --partial-dir --backup-dir --rsync-path --timeout -f --filter -B -p --chmod --chown --config --transfers --checkers --max-age --min-age",
  ),
);
const REMOTE_PATH =
  /^(?:(?:scp|rsync|sftp|ftp|ftps|ssh):\/\/|(?:[\w.~-]{0,80}@)?(?:\[[0-9a-f:]{2,45}\]|[\w.-]{1,255}|‹›|[^/\\:\s]{0,80}‹›[^/\\:\s]{0,80}):(?!\\))/i;

/** `scp`, `rsync`, `sftp`, `rclone`: from a host is a read. */
export const judgeCopy: Judge = (command, rule): ReturnType<Judge> => {
  const argv = command.argv;
  if (
    argv.some((w, i) =>
      i === 1 && /^(?:--help|--version|-V|version|help)$/.test(w.value)
    )
  ) {
    return judged(rule, command, "neutral");
  }
  const found = positionals(command, COPY_VALUED);
  if (command.program === "rclone") {
    const verb = found[0]?.value ?? "";
    const at = found[0] ? { word: found[0] } : {};
    if (
      /^(?:config|version|help|completion|listremotes|obscure|genautocomplete|selfupdate)$/
        .test(verb) || verb === ""
    ) {
      return judged(rule, command, "neutral", at);
    }
    const places = found.slice(1);
    if (!places.some((w) => REMOTE_PATH.test(w.value))) {
      return judged(rule, command, "neutral", { ...at, mutating: true });
    }
    if (hasOption(command, "--dry-run") || hasOption(command, "-n")) {
      return judged(rule, command, "neutral", at);
    }
    if (
      /^(?:ls\w{0,4}|size|cat|check|tree|about|md5sum|sha1sum|hashsum|ncdu|mount|serve|link)$/
        .test(verb)
    ) {
      return judged(rule, command, "read", at);
    }
    const last = places[places.length - 1];
    const away = last && !REMOTE_PATH.test(last.value) &&
      /^copy|^sync/.test(verb);
    return judged(rule, command, away ? "read" : "write", at);
  }
  if (
    hasOption(command, "--dry-run") ||
    (command.program === "rsync" &&
      argv.some((w) => /^-[a-zA-Z]{0,12}n[a-zA-Z]{0,12}$/.test(w.value)))
  ) {
    return judged(rule, command, "neutral");
  }
  if (
    command.program === "sftp" || command.program === "lftp" ||
    command.program === "ftp"
  ) {
    const host = found[0];
    if (!host) return judged(rule, command, "neutral");
    const text = [
      ...argv.slice(1),
      ...command.redirects.flatMap((r) => r.body ? [r.body] : []),
    ].map((w) => w.value).join("\n");
    const puts =
      /\b(?:m?put|rm|rmdir|mkdir|rename|chmod|mirror\s+-\w{0,10}R|delete|mdelete)\b/
        .test(text);
    const gets = /\b(?:m?get|ls|dir|pwd|mirror)\b/.test(text) ||
      REMOTE_PATH.test(host.value) && found.length > 1;
    return judged(rule, command, gets && !puts ? "read" : "write", {
      word: host,
    });
  }
  const places = found.filter((w) =>
    REMOTE_PATH.test(w.value) && !/^[a-z]:[\\/]/i.test(w.value)
  );
  const first = places[0];
  if (!first) {
    return judged(rule, command, "neutral", {
      mutating: true,
      category: "neutral.edit",
    });
  }
  if (places.every((w) => isLocalHost(hostOf(w.value.replace(/:.*$/s, ""))))) {
    return judged(rule, command, "neutral", {
      mutating: true,
      category: "neutral.edit",
    });
  }
  const last = found[found.length - 1];
  const up = last ? places.includes(last) : true;
  return judged(rule, command, up ? "write" : "read", { word: first });
};

// What a URL or host says: here, an API, a probe, a page.

const LOCAL_HOST =
  /^(?:localhost|.{1,200}\.localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|0\.0\.0\.0|\[?::1?\]?|host\.docker\.internal|host\.containers\.internal|localhost\.localdomain|.{1,100}\.localtest\.me|.{1,100}\.lvh\.me|kubernetes\.docker\.internal|0)$/i;
/** Sites whose `/api/` is about an API, and where files are fetched from. */
const PAGES = new RegExp(
  [
    /^(?:docs?|developers?|learn|wiki|blog|help|support|raw|cdn|dl|downloads?|get|install|deb|rpm|packages?|archive|mirror|static|assets|objects|media|gist|codeload|community|forum|status|pkg|man)\./,
    /(?:^|\.)(?:githubusercontent\.com|readthedocs\.io|github\.io|pages\.dev|npmjs\.org|npmjs\.com|pypi\.org|pythonhosted\.org|golang\.org|unpkg\.com|jsdelivr\.net|go\.dev|rust-lang\.org|kernel\.org|debian\.org|ubuntu\.com|archlinux\.org|stackoverflow\.com|wikipedia\.org|mozilla\.org|nodejs\.org|deno\.land|esm\.sh|maven\.org|schemastore\.org)$/,
  ].map((part) => part.source).join("|"),
  "i",
);
/** Hosts that are an API by their name alone. */
const API_HOST =
  /(?:^|[.-])apis?(?:[.-]|\d|$)|^(?:graph\.(?:microsoft|facebook)\.com|management\.(?:azure|core\.windows)\.(?:com|net)|hooks\.slack\.com|slack\.com|api\d?\..{1,200}|169\.254\.169\.254|metadata\.google\.internal|fd00:ec2::254|gateway\..{1,200})$|(?:^|\.)(?:vault\.azure\.net|execute-api\..{1,40}\.amazonaws\.com)$/i;
const GOOGLE_API =
  /^(?!storage\.|fonts\.|ajax\.|commondatastorage\.).{1,100}\.googleapis\.com$/i;
const API_PATH =
  /(?:^|\/)(?:apis?|graphql|gql|rest|rpc|jsonrpc|odata|_search|_cat|_cluster|_bulk|_count|_all_docs|wp-json)(?:[/?#]|$)/i;
const PROBE_PATH =
  /^\/?(?:.{0,80}\/)?(?:health[a-z]{0,8}|healthz|health-check|healthcheck|livez?|liveness|readyz?|readiness|ping|status|up|version|heartbeat|robots\.txt|favicon\.ico|sitemap\.xml|-\/(?:healthy|ready))(?:[/.]?(?:json|live|ready|liveness|readiness))?\/?$/i;

/** A URL taken apart; `host` is "" where only a variable would tell. */
export interface Target {
  /** The host without port, lower case. */
  host: string;
  /** The path, with `/`. */
  path: string;
  /** The query, without `?`. */
  query: string;
  /** Credentials stand in it. */
  user: boolean;
  /** The scheme, if any. */
  scheme: string;
}

const URL_SHAPE =
  /^(?:([a-z][a-z0-9+.-]{0,20}):\/\/)?(?:([^/?#@\s]{0,400})@)?(\[[0-9a-f:.%]{2,60}\]|[^/?#:\s]{0,300})(?::([^/?#]{0,20}))?([^?#]{0,4000})(?:\?([^#]{0,4000}))?/i;

/** Takes a URL apart; total. */
export function target(url: string): Target {
  const m = URL_SHAPE.exec(url.trim());
  const host = (m?.[3] ?? "").toLowerCase();
  return {
    scheme: (m?.[1] ?? "").toLowerCase(),
    user: (m?.[2] ?? "") !== "",
    host: host.includes(UNKNOWN) && host.replaceAll(UNKNOWN, "") === ""
      ? ""
      : host,
    path: m?.[5] ?? "",
    query: m?.[6] ?? "",
  };
}

/** Whether a host is this machine. */
export function isLocalHost(host: string): boolean {
  return LOCAL_HOST.test(host);
}

/** Whether a URL asks an API for data, by its host or path. */
export function isApi(t: Target): boolean {
  if (API_HOST.test(t.host) || GOOGLE_API.test(t.host)) return true;
  return API_PATH.test(t.path) && !PAGES.test(t.host);
}

/** Whether a URL only asks whether something lives. */
export function isProbe(t: Target): boolean {
  return t.query === "" && PROBE_PATH.test(t.path);
}

/** Words of a host that may name a model type: `api.cloudflare.com` -> `cloudflare`. */
export function hostHints(host: string): string[] {
  return host.split(".").filter((part) =>
    part.length > 2 && !/^(?:api|www|com|net|org|dev|app|io|co)$/.test(part)
  );
}

// HTTP clients: to an API, with credentials, or changing something, is a
// bypass; a page, a file, a probe, this machine is not.

const READ_BODY =
  /^\s*\{?\s*"?(?:query|operationName)"?\s*[:=]\s*"?\s*(?:#.{0,80}\\n\s*)?(?:query\b|\{|\\n)/;
const SEARCH_PATH =
  /(?:^|\/)(?:_search|_msearch|_count|query|query_range|search|introspect|graphql\/?query)\/?$/i;

/** Decides on an HTTP client. */
export const judgeHttp: Judge = (command, rule, scene): ReturnType<Judge> => {
  const request = readRequest(command);
  if (!request) return undefined;
  const argv = command.argv;
  if (
    argv.length === 1 ||
    argv.some((w, i) =>
      i === 1 && /^(?:--help|--version|-V|help|--manual)$/.test(w.value)
    )
  ) return judged(rule, command, "neutral");
  return judgeRequest(
    rule,
    command,
    request,
    scene.parse.commands.some((c) =>
      c.stdin === scene.at &&
      /^(?:sh|bash|zsh|dash|iex|invoke-expression|sudo)$/.test(c.program)
    ),
  );
};

/** The verdict on a request, whoever sends it. */
function judgeRequest(
  rule: Rule,
  command: Command,
  r: Request,
  installs = false,
): Judged {
  const changes = !/^(?:GET|HEAD|OPTIONS|TRACE|PROPFIND)$/.test(r.method);
  const targets = r.urls.map((w) => target(w.value));
  const at = { ...(r.urls[0] ? { word: r.urls[0] } : {}) };
  const remote = targets.filter((t) => !isLocalHost(t.host));
  if (targets.length > 0 && remote.length === 0) {
    return judged(rule, command, "neutral", {
      ...at,
      category: "neutral.test",
      mutating: changes,
    });
  }
  const auth = r.auth ||
    remote.some((t) => t.user || AUTH_QUERY.test(t.query));
  const hints = remote.flatMap((t) => hostHints(t.host));
  const unknown = remote.some((t) => t.host === "");
  const low = unknown && !changes && !auth ? { low: true } : {};
  if (changes) {
    const reads = reading(r, remote);
    const word = r.urls[0];
    return judged(rule, command, reads === true ? "read" : "write", {
      ...spanOf(command, word, r.method_at),
      hints,
      ...(reads === "unknown" ? { mutating: undefined } : {}),
    });
  }
  const api = remote.some((t) => isApi(t)) ||
    r.urls.some((w) =>
      target(w.value).host === "" &&
      (w.names ?? []).some((n) => /API|GRAPHQL|ENDPOINT/i.test(n))
    );
  if (!auth && remote.length > 0 && remote.every((t) => isProbe(t))) {
    return judged(rule, command, "neutral", { ...at, tags: ["probe"] });
  }
  if (installs && !auth) {
    return judged(rule, command, "neutral", {
      ...at,
      mutating: true,
      tags: ["installer"],
    });
  }
  if (auth || api) {
    return judged(rule, command, "read", { ...at, hints, ...low });
  }
  return judged(rule, command, "neutral", {
    ...at,
    ...low,
    ...(r.urls.length === 0 ? { low: true } : {}),
  });
}

function spanOf(
  command: Command,
  ...marks: (Word | undefined)[]
): { start: number; end: number } {
  let start = command.argv[0]?.start ?? command.start;
  let end = command.argv[0]?.end ?? command.end;
  for (const w of marks) {
    if (!w) continue;
    start = Math.min(start, w.start);
    end = Math.max(end, Math.min(w.end, w.start + 400));
  }
  return { start, end };
}

/** A POST that only asks: a query, a search; unknown for a protocol's handshake. */
function reading(r: Request, remote: Target[]): boolean | "unknown" {
  if (r.method !== "POST") return false;
  if (
    /"method"\s*:\s*"(?:initialize|tools\/list|resources\/list|prompts\/list|ping|notifications\/initialized)"/
      .test(r.body)
  ) {
    return "unknown";
  }
  const graph = remote.some((t) => /graphql|\/gql/i.test(t.path));
  if (graph && r.body !== "") {
    return !/\bmutation\b/.test(r.body) &&
      (READ_BODY.test(r.body) || /\bquery\b|\{\s*\w/.test(r.body));
  }
  return remote.length > 0 && remote.every((t) => SEARCH_PATH.test(t.path));
}
