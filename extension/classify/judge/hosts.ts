/**
 * What a URL or host says: here, an API, a probe, a page.
 *
 * @module
 */
import { UNKNOWN } from "../../shell/types.ts";

const LOCAL_HOST =
  /^(?:localhost|.{1,200}\.localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|0\.0\.0\.0|\[?::1?\]?|host\.docker\.internal|host\.containers\.internal|localhost\.localdomain|.{1,100}\.localtest\.me|.{1,100}\.lvh\.me|kubernetes\.docker\.internal|0)$/i;
/** Sites whose `/api/` is about an API, and where files are fetched from. */
const PAGES =
  /^(?:docs?|developers?|learn|wiki|blog|help|support|raw|cdn|dl|downloads?|get|install|deb|rpm|packages?|archive|mirror|static|assets|objects|media|gist|codeload|community|forum|status|pkg|man)\.|(?:^|\.)(?:githubusercontent\.com|readthedocs\.io|github\.io|pages\.dev|npmjs\.org|npmjs\.com|pypi\.org|pythonhosted\.org|golang\.org|unpkg\.com|jsdelivr\.net|go\.dev|rust-lang\.org|kernel\.org|debian\.org|ubuntu\.com|archlinux\.org|stackoverflow\.com|wikipedia\.org|mozilla\.org|nodejs\.org|deno\.land|esm\.sh|maven\.org|schemastore\.org)$/i;
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
