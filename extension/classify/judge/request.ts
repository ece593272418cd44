/**
 * What the words of an HTTP client say: URL, method, body, credentials.
 *
 * @module
 */
import type { Command, Word } from "../../shell/types.ts";

/** What a client's words say. */
export interface Request {
  /** Its URLs. */
  urls: Word[];
  /** The method, upper case. */
  method: string;
  /** The word that says the method or holds the body. */
  method_at?: Word;
  /** It carries credentials. */
  auth: boolean;
  /** What is sent, where the words show it. */
  body: string;
  /** It fetches into a file. */
  saves: boolean;
}

const AUTH_HEADER =
  /^["']?(?:proxy-)?(?:authorization|cookie|x-[\w-]{0,60}(?:key|token|secret|auth|session|signature)|[\w-]{0,60}(?:api[-_]?key|token|secret|access-key)|dd-api-key|dd-application-key|private-token|job-token|apikey|auth|x-amz-[\w-]{1,40}|x-vault-[\w-]{1,40}|circle-token)["']?\s{0,4}[:=]/i;
/** A query that carries credentials. */
export const AUTH_QUERY =
  /(?:^|&)(?:access_token|api_?key|apikey|token|auth|key|secret|sig|signature|password|private_token|client_secret)=/i;
/** How each client writes a request. */
export function readRequest(command: Command): Request | undefined {
  switch (command.program) {
    case "curl":
    case "curlie":
    case "curl-impersonate":
      return hasCmdletFlags(command) ? readCmdlet(command) : readCurl(command);
    case "wget":
    case "wget2":
    case "aria2c":
      return hasCmdletFlags(command) ? readCmdlet(command) : readWget(command);
    case "http":
    case "https":
    case "httpie":
    case "xh":
    case "xhs":
    case "ht":
      return readHttpie(command);
    case "invoke-restmethod":
    case "invoke-webrequest":
    case "irm":
    case "iwr":
      return readCmdlet(command);
    case "grpcurl":
    case "evans":
      return readGrpc(command);
    default:
      return undefined;
  }
}

function hasCmdletFlags(command: Command): boolean {
  return command.argv.some((w) =>
    /^-(?:Uri|Method|Headers|Body|UseBasicParsing|OutFile)$/i.test(w.value)
  );
}

function empty(): Request {
  return { urls: [], method: "", auth: false, body: "", saves: false };
}

const CURL_VALUE = new Set(
  ("-A --user-agent -b --cookie -c --cookie-jar -C --continue-at -D --dump-header -e --referer -E --cert --cacert --capath --cert-type " +
    "--ciphers --connect-timeout --connect-to --config -K --create-file-mode --crlfile --delegation --dns-servers --doh-url --egd-file --engine --etag-save --etag-compare " +
    "--expect100-timeout --interface --ipfs-gateway --keepalive-time --key --key-type --limit-rate --local-port --login-options -m --max-time --max-filesize --max-redirs " +
    "--noproxy -o --output --output-dir --pass --pinnedpubkey -P --proto --proto-default --proto-redir -x --proxy -U --proxy-user --pubkey -Q --quote -r --range --rate " +
    "--request-target --resolve --retry --retry-delay --retry-max-time -S3 --socks5 --socks5-hostname -Y --speed-limit -y --speed-time --stderr -t --telnet-option --tls-max " +
    "--tls13-ciphers --trace --trace-ascii --unix-socket --abstract-unix-socket -w --write-out -z --time-cond --variable --aws-sigv4 --hostpubsha256 --preproxy --mail-from --mail-rcpt --parallel-max --url-query --alt-svc --hsts --netrc-file --service-name --ssl-sessions")
    .split(" "),
);

function readCurl(command: Command): Request {
  const r = empty();
  let get = false;
  let head = false;
  const { argv } = command;
  for (let i = 1; i < argv.length; i++) {
    const word = argv[i];
    if (!word) continue;
    let { value } = word;
    if (value.length < 2 || !value.startsWith("-")) {
      if (value !== "") r.urls.push(word);
      continue;
    }
    let given: Word | undefined;
    if (value.startsWith("--")) {
      const eq = value.indexOf("=");
      if (eq > 0) {
        given = { ...word, value: value.slice(eq + 1) };
        value = value.slice(0, eq);
      }
    } else if (value.length > 2) {
      // A cluster: the first letter that takes a value takes the rest of it.
      for (let j = 1; j < value.length; j++) {
        const short = `-${value[j]}`;
        if (/^-[XHduFTUAbcCDeEKmoPQrtwxYyz]$/.test(short)) {
          given = j + 1 < value.length
            ? { ...word, value: value.slice(j + 1) }
            : undefined;
          value = short;
          break;
        }
        if (short === "-G") get = true;
        if (short === "-I") head = true;
        if (short === "-n") r.auth = true;
        if (short === "-O") r.saves = true;
      }
    }
    const take = (): Word | undefined => given ?? argv[++i];
    switch (value) {
      case "-X":
      case "--request": {
        const w = take();
        if (w) {
          r.method = w.value.toUpperCase();
          r.method_at = w;
        }
        break;
      }
      case "-H":
      case "--header":
      case "--proxy-header": {
        const w = take();
        if (w && (AUTH_HEADER.test(w.value) || w.value.startsWith("@"))) {
          r.auth = true;
        }
        break;
      }
      case "-d":
      case "--data":
      case "--data-raw":
      case "--data-binary":
      case "--data-ascii":
      case "--data-urlencode":
      case "--json":
      case "-F":
      case "--form":
      case "--form-string":
      case "-T":
      case "--upload-file": {
        const w = take();
        if (!r.method_at && w) r.method_at = w;
        if (w && r.body.length < 8000) r.body += w.value.slice(0, 4000);
        if (!r.method) {
          r.method = value === "-T" || value === "--upload-file"
            ? "=PUT"
            : "=POST";
        }
        break;
      }
      case "-u":
      case "--user":
      case "--oauth2-bearer":
        take();
        r.auth = true;
        break;
      case "--aws-sigv4":
      case "-E":
      case "--cert":
      case "--key":
        take();
        r.auth = true;
        break;
      case "-b":
      case "--cookie":
        take();
        r.auth = true;
        break;
      case "-n":
      case "--netrc":
      case "--negotiate":
      case "--ntlm":
        r.auth = true;
        break;
      case "-G":
      case "--get":
        get = true;
        break;
      case "-I":
      case "--head":
        head = true;
        break;
      case "-o":
      case "--output":
        take();
        r.saves = true;
        break;
      case "-O":
      case "--remote-name":
        r.saves = true;
        break;
      case "--url": {
        const w = take();
        if (w) r.urls.push(w);
        break;
      }
      default:
        if (CURL_VALUE.has(value) && !given) i++;
    }
  }
  // A method by body gives way to `-G` and `-I`.
  if (r.method.startsWith("=")) {
    r.method = get ? "GET" : head ? "HEAD" : r.method.slice(1);
  }
  if (!r.method) r.method = head ? "HEAD" : "GET";
  return r;
}

const WGET_VALUE = new Set(
  "-O -o -a -e -i -B -t -T -w -Q -P -U -A -R -D -I -X -l --output-document --output-file --tries --timeout --user-agent --directory-prefix --level --input-file -d --dir --out"
    .split(" "),
);

function readWget(command: Command): Request {
  const r = { ...empty(), method: "GET", saves: true };
  const { argv } = command;
  for (let i = 1; i < argv.length; i++) {
    const word = argv[i];
    if (!word) continue;
    const { value } = word;
    if (!value.startsWith("-")) {
      r.urls.push(word);
      continue;
    }
    const eq = value.indexOf("=");
    const key = eq > 0 ? value.slice(0, eq) : value;
    const next = (): string =>
      eq > 0 ? value.slice(eq + 1) : argv[++i]?.value ?? "";
    if (key === "--method") {
      r.method = next().toUpperCase();
      r.method_at = word;
    } else if (/^--(?:post-data|post-file|body-data|body-file)$/.test(key)) {
      r.body += next().slice(0, 4000);
      if (r.method === "GET") r.method = "POST";
      r.method_at ??= word;
    } else if (key === "--header") {
      if (AUTH_HEADER.test(next())) r.auth = true;
    } else if (
      /^--(?:(?:http-)?(?:user|password)|load-cookies|certificate|private-key|auth-no-challenge)$/
        .test(key)
    ) {
      if (eq < 0 && key !== "--auth-no-challenge") i++;
      r.auth = true;
    } else if (WGET_VALUE.has(value)) i++;
  }
  return r;
}

function readHttpie(command: Command): Request {
  const r = empty();
  let data = false;
  const { argv } = command;
  for (let i = 1; i < argv.length; i++) {
    const word = argv[i];
    if (!word) continue;
    const { value } = word;
    if (value.startsWith("-")) {
      if (
        /^(?:-a|--auth|-A|--auth-type|--session|--bearer|--cert|--cert-key)(?:=|$)/
          .test(value)
      ) {
        r.auth = true;
        if (!value.includes("=")) i++;
      } else if (/^(?:-o|--output|-d|--download)$/.test(value)) {
        r.saves = true;
        if (value === "-o" || value === "--output") i++;
      } else if (/^(?:--raw|--data)/.test(value)) data = true;
      else if (value === "--offline") r.method = "GET";
      else if (
        /^(?:-p|--print|--timeout|--proxy|--verify|-s|--style|--pretty)$/.test(
          value,
        )
      ) i++;
      continue;
    }
    if (r.urls.length === 0) {
      if (
        /^[A-Za-z]{3,8}$/.test(value) && argv[i + 1] && !r.method &&
        !/^localhost$/.test(value)
      ) {
        r.method = value.toUpperCase();
        r.method_at = word;
      } else {
        // `:3000/x` is a port of this machine.
        const { value: url } = word;
        r.urls.push(
          /^:(?:\d|\/|$)/.test(url)
            ? { ...word, value: `localhost${url}` }
            : word,
        );
      }
    } else if (AUTH_HEADER.test(value) && !value.includes("==")) r.auth = true;
    else if (/^[^=:@]{1,100}==/.test(value)) {
      if (AUTH_QUERY.test(value.replace("==", "="))) r.auth = true;
    } else if (/^[^:=@\s]{1,100}(?::?=|@)/.test(value)) data = true;
    else if (/^[^:=@\s]{1,100}:/.test(value)) continue;
    else data = true;
  }
  if (
    command.redirects.some((d) => d.op === "<" || d.body) ||
    command.stdin !== undefined
  ) {
    data = true;
  }
  if (!r.method) r.method = data ? "POST" : "GET";
  return r;
}

function readCmdlet(command: Command): Request {
  const r = { ...empty(), method: "GET" };
  const { argv } = command;
  for (let i = 1; i < argv.length; i++) {
    const word = argv[i];
    if (!word) continue;
    const key = word.value.toLowerCase();
    const next = argv[i + 1];
    if (/^-u(?:ri?)?$/.test(key) && next) {
      r.urls.push(next);
      i++;
    } else if (/^-me(?:thod)?$|^-custommethod$/.test(key) && next) {
      r.method = next.value.toUpperCase();
      r.method_at = next;
      i++;
    } else if (/^-h(?:eaders?)?$/.test(key)) {
      r.auth = true;
      i++;
    } else if (
      /^-(?:credential|token|authentication|certificate|certificatethumbprint|websession|usedefaultcredentials)$/
        .test(key)
    ) {
      r.auth = true;
    } else if (/^-(?:b(?:ody)?|form|infile)$/.test(key)) {
      i++;
    } else if (/^-(?:outfile|o)$/.test(key)) {
      r.saves = true;
      i++;
    } else if (
      /^-(?:contenttype|useragent|timeoutsec|proxy|sessionvariable|erroraction|maximumredirection)$/
        .test(key)
    ) {
      i++;
    } else if (!key.startsWith("-")) r.urls.push(word);
  }
  return r;
}

function readGrpc(command: Command): Request {
  const r = { ...empty(), method: "POST" };
  const plain: Word[] = [];
  const { argv } = command;
  for (let i = 1; i < argv.length; i++) {
    const word = argv[i];
    if (!word) continue;
    if (word.value.startsWith("-")) {
      if (/^-(?:H|rpc-header)$/.test(word.value)) r.auth = true;
      if (
        /^-(?:H|rpc-header|d|import-path|proto|cacert|cert|key|max-time|authority)$/
          .test(word.value)
      ) i++;
    } else plain.push(word);
  }
  const [where, what] = plain;
  if (where) r.urls.push({ ...where, value: `grpc://${where.value}/api/` });
  if (
    !what || /^(?:list|describe)$/.test(what.value) ||
    /\/(?:Get|List|Watch|Check|Describe|Search|Read)\w{0,60}$/.test(what.value)
  ) {
    r.method = "GET";
  }
  return r;
}
