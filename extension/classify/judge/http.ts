/**
 * HTTP clients: to an API, with credentials, or changing something, is a
 * bypass; a page, a file, a probe, this machine is not.
 *
 * @module
 */
import { AUTH_QUERY, readRequest, type Request } from "./request.ts";
import type { Command, Word } from "../../shell/types.ts";
import { type Judge, type Judged, judged, type Rule } from "../rule.ts";
import {
  hostHints,
  isApi,
  isLocalHost,
  isProbe,
  type Target,
  target,
} from "./hosts.ts";

const READ_BODY =
  /^\s*\{?\s*"?(?:query|operationName)"?\s*[:=]\s*"?\s*(?:#.{0,80}\\n\s*)?(?:query\b|\{|\\n)/;
const SEARCH_PATH =
  /(?:^|\/)(?:_search|_msearch|_count|query|query_range|search|introspect|graphql\/?query)\/?$/i;

/** Decides on an HTTP client. */
export const judgeHttp: Judge = (command, rule, scene) => {
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
      /^(?:sh|bash|zsh|dash|iex|invoke-expression|sudo)$/.test(c.program) &&
      c.stdin === scene.at
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
