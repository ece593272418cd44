/**
 * Code given to an interpreter: cloud SDKs, HTTP, swamp's own files, commands
 * started from it. Scripts in files are opaque.
 *
 * @module
 */
import type { Command, Word } from "../../shell/types.ts";
import {
  hasOption,
  type Judge,
  type Judged,
  judged,
  type Rule,
  type Scene,
  writtenTo,
} from "../rule.ts";
import { mongoWrites, sqlWrites } from "./db.ts";
import { isApi, isLocalHost, target } from "./remote.ts";

/** Longest code that is looked at. */
const CODE_LIMIT = 20_000;

const SDK = new RegExp(
  [
    /\b(?:boto3|botocore|aioboto3|google\.cloud|googleapiclient|google\.auth|azure\.(?:mgmt|identity|storage|keyvault|cosmos|servicebus|core)|oci\.\w|kubernetes(?:_asyncio)?\s+import|import\s+(?:[\w.]{1,40}\s*,\s*){0,12}kubernetes|kubernetes\.client|openstack\.connect|digitalocean|hcloud|linode_api4)\b/,
    /\b(?:cloudflare|github\s+import\s+Github|PyGithub|gitlab\s+import|import\s+gitlab|ghapi|hvac|pulumi_\w|paramiko|fabric\s+import|slack_sdk|stripe|twilio|sendgrid|snowflake\.connector|databricks|proxmoxer|pyVmomi|heroku3|docker_registry)\b/,
    /@aws-sdk\/|aws-sdk\b|@google-cloud\/|\bgoogleapis\b|@azure\/|@kubernetes\/client-node|@octokit\/|\boctokit\b|Octokit\b|@gitbeaker\/|@slack\/web-api|@hashicorp\/|node-vault|\bnode-ssh\b|\bssh2\b|@cloudflare\/|@vercel\/client|@digitalocean|oci-sdk|\bfog-aws\b|require ['"](?:aws-sdk[\w-]{0,40}|google\/cloud|azure|kubeclient|octokit|net\/ssh)|\bAws::[A-Z]|Net::SSH/,
  ].map((part) => part.source).join("|"),
);
/** The same in Go, where modules are named by their address. */
const SDK_GO =
  /"(?:github\.com\/(?:aws\/aws-sdk-go|Azure\/azure-sdk|google\/go-github|digitalocean\/godo|hetznercloud|hashicorp\/vault\/api|xanzy\/go-gitlab|cloudflare\/cloudflare-go|linode\/linodego)|cloud\.google\.com\/go|google\.golang\.org\/api|k8s\.io\/client-go)/;
const SDK_GO_WRITE =
  /\.(?:Terminate|Delete|Create|Update|Put|Patch|Run|Stop|Start|Reboot|Invoke|Publish|Send|Modify|Attach|Detach|Copy|Upload|Register|Add|Remove|Set|Tag|Cancel|Purge|Restore|Apply|Write)\w{0,80}\(/;
const DRIVER =
  /\b(?:psycopg2?|asyncpg|pymysql|mysql\.connector|MySQLdb|pymongo|motor\.motor_asyncio|redis\s*\.\s*(?:Redis|StrictRedis|from_url)|import\s+redis|sqlalchemy|cassandra\.cluster|clickhouse_driver|clickhouse_connect|elasticsearch\s+import|pyodbc|oracledb)\b|(?:require\(|from\s+|import\s+)['"](?:pg|mysql2?(?:\/promise)?|mongodb|mongoose|redis|ioredis|@prisma\/client|knex|postgres|@elastic\/elasticsearch|mssql|cassandra-driver|@supabase\/supabase-js)['"]/;
const SDK_WRITE = new RegExp(
  [
    /(?:\.|_|\b)(?:terminate|delete|destroy|remove|create|put|patch|upsert|upload|stop|reboot|invoke|publish|deploy|revoke|apply)\s*\(/,
    /\.(?:terminate|delete|destroy|remove|create|update|put|post|patch|insert|upsert|write|upload|copy|stop|start|reboot|restart|run|invoke|publish|send|set|add|attach|detach|modify|apply|deploy|scale|rotate|revoke|grant|tag|untag|enable|disable|register|deregister|cancel|purge|restore|import|replace|merge|execute|abort|rollback|associate|disassociate|allocate|release|reset|move|rename|batch_write|transact_write|bulk|drop|truncate|generate|change)(?:_|[A-Z])\w{0,80}\s*\(/,
    /\b(?:Terminate|Delete|Create|Update|Put|Run|Stop|Start|Reboot|Invoke|Publish|Send|Modify|Attach|Detach|Copy|Upload|Register|Deregister|Add|Remove|Set|Tag|Untag|Enable|Disable|Cancel|Purge|Restore|BatchWrite|TransactWrite|Associate|Allocate|Release|Reset|Change|Execute|Rotate)[A-Z]\w{0,80}Command\b|\.request\(\s*['"`](?:POST|PUT|PATCH|DELETE)|\.(?:exec_command|sendline)\s*\(/,
  ].map((part) => part.source).join("|"),
);
/** Calls that look like a change and are none. */
const HARMLESS =
  /\.(?:set_trace|set_index|set_option|add_argument|add_parser|add_option|update_layout|start_time|send_signal|run_until_complete|run_forever|run_sync|add_done_callback|set_event_loop|create_task|import_module)\s*\(|\b(?:create_client|createClient|create_async_engine|create_engine|createConnection|createPool|create_default_context|createInterface|createReadStream|createHash|create_session|create_oauth_client_auth|createAppAuth)\s*\(/gi;
const HTTP_CALL =
  /(?:\b|_)(?:get|post|put|patch|delete|head|request|urlopen|urlretrieve|fetch|stream|axios|got|file_get_contents|curl_exec)\s*\(/i;
const HTTP_IMPORT =
  /\b(?:import\s+(?:[\w.]{1,40}(?:\s+as\s+\w{1,40})?\s*,\s*){0,12}(?:requests|httpx|urllib|urllib3|aiohttp|http\.client)|from\s+(?:requests|httpx|urllib|aiohttp)\b|fetch\s*\(|\bNet::HTTP\b|axios|require\(['"](?:https?|axios|node-fetch|got|undici)|net\/http|HTTParty|Faraday|LWP::UserAgent|HTTP::Tiny|Mojo::UserAgent|GuzzleHttp|curl_init|file_get_contents\s*\(\s*['"]https?:)/;
const HTTP_WRITE =
  /(?:\.|->)(?:post|put|patch|delete)\s*\(|\bfrom\s+(?:requests|httpx)\s+import\s+[\w, ]{0,60}\b(?:post|put|patch|delete)\b|\b(?:method|type)['"]?\s*(?:=>|[:=])\s*['"`](?:POST|PUT|PATCH|DELETE)['"`]|\.request\s*\(\s*['"](?:POST|PUT|PATCH|DELETE)|\bNet::HTTP::(?:Post|Put|Patch|Delete)\b|urlopen\([^)]{0,300}\bdata\s*=|Request\([^)]{0,300}\bdata\s*=|CURLOPT_(?:POST\b|POSTFIELDS|CUSTOMREQUEST\s*(?:=>|,)\s*['"](?:POST|PUT|PATCH|DELETE))/i;
const AUTH =
  /authorization|bearer|api[-_]?key|x-[\w-]{0,30}token|access_token|private-token|\bauth\s*=/i;
const SWAMP_PATH =
  /['"`][^'"`\n]{0,200}(?:^|\/)?\.swamp\/(?!bin\/)[^'"`\n]{0,300}['"`]|\.swamp['"`]\s*[,/)]/;
const FILE_WRITE =
  /open\s*\([^)]{0,300},\s*['"][wax]b?\+?['"]|write_text|write_bytes|writeFile|appendFile|unlink|rmtree|rmSync|os\.remove|shutil\.(?:move|copy)|fs\.rm|File\.write|\.rename\(|Deno\.(?:write|remove)|mkdirSync|os\.makedirs/;
const STARTS =
  /(?:os\.system|os\.popen|subprocess\.\w{2,20}|check_output|check_call|execSync|execFileSync|spawnSync|execFile|execa|spawn|exec|system|Popen|shell_exec|passthru|sh\.\w{2,20}|Deno\.Command|Open3\.\w{2,20}|\brun)\s*\(\s*/g;

/** Decides on code for an interpreter. */
export const judgeScript: Judge = (command, rule, scene): ReturnType<Judge> => {
  const code = codeOf(command, scene) ?? writtenCode(command, scene);
  if (!code) {
    if (command.program === "go") return undefined;
    const file = command.argv.slice(1).find((w) => !w.value.startsWith("-"));
    const asks = hasOption(command, "--version") ||
      hasOption(command, "--help") || hasOption(command, "-V");
    if (
      file && !asks &&
      /^(?:run|eval|test|fmt|lint|check|task|install|x|i|add|build|create|pm|repl)$/
          .test(file.value) === false
    ) {
      return judged(rule, command, "neutral", {
        word: file,
        category: "neutral.other",
        mutating: true,
        low: true,
        tags: ["opaque"],
      });
    }
    return undefined;
  }
  return judgeCode(rule, command, code.value.slice(0, CODE_LIMIT), code, scene);
};

/** The verdict on code. */
function judgeCode(
  rule: Rule,
  command: Command,
  text: string,
  word: Word,
  scene: Scene,
): Judged {
  const program = command.argv[0];
  const span = {
    start: Math.min(program?.start ?? word.start, word.start),
    end: Math.min(
      Math.max(word.end, program?.end ?? 0),
      Math.max(program?.end ?? 0, word.start + 600),
    ),
  };
  const nested = startedCommands(text, scene);
  if (nested && nested.label !== "neutral") return { ...nested, ...span };
  if (SWAMP_PATH.test(text)) {
    const writes = FILE_WRITE.test(text);
    return judged(rule, command, writes ? "write" : "read", {
      ...span,
      category: writes ? "swampdata.write" : "swampdata.read",
      ...(writes ? {} : { severity: "medium" as const }),
    });
  }
  const go = command.program === "go" && SDK_GO.test(text);
  if (go || SDK.test(text) && usesSdk(command.program, text)) {
    const writes = go ? SDK_GO_WRITE.test(text) : changes(text);
    return judged(rule, command, writes ? "write" : "read", {
      ...span,
      hints: hintsOf(text),
    });
  }
  if (DRIVER.test(text) && !localOnly(text)) {
    const writes = sqlWrites(text.replace(/['"`]/g, " ")) ||
      /pymongo|mongodb|mongoose/.test(text) && mongoWrites(text) ||
      /\b(?:redis|r|client)\.(?:set|del|delete|flush\w{0,5}|hset|lpush|rpush|expire|incr\w{0,3})\s*\(/i
          .test(text) && /redis/i.test(text);
    return judged(rule, command, writes ? "write" : "read", span);
  }
  if (HTTP_IMPORT.test(text) && HTTP_CALL.test(text)) {
    const urls = [...text.matchAll(/https?:\/\/[^\s'"`<>)]{1,500}/g)].map((m) =>
      target(m[0])
    );
    const remote = urls.filter((t) => !isLocalHost(t.host));
    if (urls.length > 0 && remote.length === 0) {
      return judged(rule, command, "neutral", {
        ...span,
        category: "neutral.test",
      });
    }
    if (HTTP_WRITE.test(text)) return judged(rule, command, "write", span);
    if (AUTH.test(text) || remote.some((t) => isApi(t))) {
      return judged(rule, command, "read", span);
    }
    return judged(rule, command, "neutral", {
      ...span,
      category: "neutral.other",
    });
  }
  return judged(rule, command, "neutral", {
    ...span,
    category: FILE_WRITE.test(text) ? "neutral.edit" : "neutral.read",
    mutating: FILE_WRITE.test(text),
  });
}

function changes(text: string): boolean {
  return SDK_WRITE.test(text.replace(HARMLESS, " "));
}

const MODULE_AT =
  /(?:require\s*\(|\bfrom|\bimport\s*\(?|\brequire)\s*['"`][^'"`\n]{1,200}['"`]/g;

/**
 * Whether code does more with an SDK than name it: in Python what it imports
 * must be used, in JavaScript and Ruby a module that stands in a string must
 * be loaded.
 */
function usesSdk(program: string, text: string): boolean {
  const bare = withoutStrings(text);
  if (family(program) !== "python") {
    return SDK.test(bare) ||
      (text.match(MODULE_AT) ?? []).some((m) => SDK.test(m));
  }
  if (/\b(?:__import__|import_module)\s*\(/.test(bare)) return true;
  if (!SDK.test(bare)) return false;
  const names: string[] = [];
  const rest = bare.replace(
    /(?:\bfrom\s+([\w.]{1,200})\s+)?\bimport\s+(\([^)]{0,2000}\)|[^\n;#]{1,500})/g,
    (statement, from: string | undefined, what: string) => {
      if (!SDK.test(statement)) return statement;
      for (const item of what.replace(/[()]/g, "").split(",")) {
        if (!from && !SDK.test(`import ${item.trim()}`)) continue;
        const [name = "", , as] = item.trim().split(/\s+/);
        names.push(as ?? (from ? name : name.split(".")[0] ?? ""));
      }
      return " ";
    },
  ).replace(/\b[\w.]{1,200}\.__(?:version|file|name|path|doc|all)__/g, " ");
  const used = new Set(rest.match(/[A-Za-z_]\w*/g));
  return names.length === 0 ||
    names.some((name) => name === "*" || used.has(name));
}

/** Code without what stands in quotes and in Python's comments; linear. */
function withoutStrings(code: string): string {
  let out = "";
  for (let i = 0; i < code.length; i++) {
    const c = code[i] ?? "";
    if (c === "#" && /^\s?$/.test(code[i - 1] ?? "")) {
      const end = code.indexOf("\n", i);
      if (end < 0) return out;
      i = end - 1;
      continue;
    }
    if (c !== '"' && c !== "'" && c !== "`") {
      out += c;
      continue;
    }
    const three = code.startsWith(c.repeat(3), i);
    let end = i + (three ? 3 : 1);
    while (
      end < code.length &&
      !(three ? code.startsWith(c.repeat(3), end) : code[end] === c)
    ) end += code[end] === "\\" ? 2 : 1;
    out += " ";
    i = end + (three ? 2 : 0);
  }
  return out;
}

function localOnly(text: string): boolean {
  if (/sqlite/i.test(text) && !/postgres|mysql|mongodb:|redis:/i.test(text)) {
    return true;
  }
  const host =
    /(?:host\s*[=:]\s*['"]|:\/\/(?:[^'"@\s/]{0,200}@)?)([\w.[\]-]{1,200})/i
      .exec(text)?.[1];
  return host !== undefined && isLocalHost(host);
}

function hintsOf(text: string): string[] {
  if (/boto|aws/i.test(text)) return ["aws"];
  if (/kubernetes|kubeclient/.test(text)) return ["kubernetes"];
  if (/google/.test(text)) return ["gcp"];
  if (/azure/i.test(text)) return ["azure"];
  return /octokit|github/i.test(text) ? ["github"] : [];
}

/** Commands that the code starts, as far as they stand in it word for word. */
function startedCommands(text: string, scene: Scene): Judged | undefined {
  let best: Judged | undefined;
  let seen = 0;
  for (const m of text.matchAll(STARTS)) {
    if (++seen > 20) break;
    const from = (m.index ?? 0) + m[0].length;
    const line = commandAt(text.slice(from, from + 600));
    if (!line) continue;
    for (const hit of scene.nested(line)) {
      if (hit.label === "neutral") continue;
      if (
        !best ||
        (hit.label === "bypass" &&
          (best.label !== "bypass" || hit.mutating && !best.mutating))
      ) {
        best = hit;
      }
    }
  }
  return best;
}

function commandAt(text: string): string | undefined {
  const one =
    /^(?:f|r|b)?(['"`])((?:(?!\1)[^\\]|\\.){1,500})\1(?:\s*,\s*\[((?:\s*['"`][^'"`]{0,200}['"`]\s*,?){0,30}))?/s
      .exec(text);
  if (one) {
    const rest = one[3] ? quoted(one[3]) : "";
    return `${one[2] ?? ""} ${rest}`.trim();
  }
  const many = /^\[((?:\s*(?:f|r)?['"][^'"]{0,200}['"]\s*,?){1,30})/s.exec(
    text,
  );
  return many?.[1] ? quoted(many[1]) : undefined;
}

function quoted(list: string): string {
  return [...list.matchAll(/['"`]([^'"`]{0,200})['"`]/g)]
    .map((m) => `'${m[1] ?? ""}'`).join(" ");
}

const CODE_OPTION: Readonly<Record<string, RegExp>> = {
  python: /^-[a-zA-Z]{0,5}c$/,
  node: /^(?:-e|--eval|-p|--print|-pe|-ep)$/,
  deno: /^eval$/,
  bun: /^(?:-e|--eval|-p|--print)$/,
  ruby: /^-[a-z]{0,5}e$/,
  perl: /^-[a-zA-Z]{0,5}[eE]$/,
  php: /^(?:-r|--run)$/,
  tsx: /^(?:-e|--eval|-p|--print)$/,
};

function family(program: string): string {
  if (/^(?:python|pypy|py|ipython)[\d.]*$/.test(program)) return "python";
  if (/^(?:tsx|ts-node|nodejs|zx|bunx)$/.test(program)) return "node";
  return program;
}

/** The code an interpreter was given, on its line or its input. */
function codeOf(command: Command, scene: Scene): Word | undefined {
  if (command.program === "go") {
    const file = command.argv[2]?.value ?? "";
    return command.argv[1]?.value === "run" && /^(?:-|\/dev\/stdin)$/.test(file)
      ? inputOf(command, scene)
      : undefined;
  }
  const option = CODE_OPTION[family(command.program)];
  const { argv } = command;
  for (let i = 1; i < argv.length; i++) {
    const word = argv[i];
    if (!word) continue;
    if (option?.test(word.value)) {
      let at = i + 1;
      while (
        family(command.program) === "deno" && argv[at]?.value.startsWith("-")
      ) at++;
      return argv[at];
    }
    const eq = /^--(?:eval|print)=/.exec(word.value);
    if (eq && option) return { ...word, value: word.value.slice(eq[0].length) };
    if (
      !word.value.startsWith("-") && word.value !== "run" && word.value !== ""
    ) {
      // A script's own file: what stands on its input is data.
      return undefined;
    }
  }
  return inputOf(command, scene);
}

/** `cat > x.py <<EOF …; python3 x.py`: what was just written. */
function writtenCode(command: Command, scene: Scene): Word | undefined {
  const file = command.argv.slice(1).find((w) =>
    !w.value.startsWith("-") && w.value !== "run"
  );
  const body = file && writtenTo(file.value, scene);
  return body && { ...body, start: file.start, end: file.end };
}

/** What a heredoc, here-string or `cat <<X |` gives it to read. */
function inputOf(command: Command, scene: Scene): Word | undefined {
  const body = command.redirects.find((r) => r.body)?.body;
  if (body) return body;
  const source = command.stdin === undefined
    ? undefined
    : scene.parse.commands[command.stdin];
  const piped = source?.redirects.find((r) => r.body)?.body;
  return piped && source?.program === "cat" ? piped : undefined;
}
