/**
 * Database clients: which server, and whether the statements change data.
 *
 * @module
 */
import type { Command, Word } from "../../shell/types.ts";
import {
  hasOption,
  type Judge,
  judged,
  optionValue,
  positionals,
  type Scene,
  words,
} from "../rule.ts";
import { isLocalHost, target } from "./remote.ts";

const SQL_WRITE = new RegExp(
  "\\b(?:" + [
    /insert\s+into|insert\s+overwrite|update\s+[\w".`[\]]{1,200}\s+(?:as\s+\w{1,60}\s+)?set\b|delete\s+from|delete\s+[a-z]\w{0,60}\s+from|drop\s+\w|alter\s+\w|create\s+(?!temp)|truncate\b|grant\s|revoke\s|replace\s+into|merge\s+into|vacuum\b/,
    /reindex\b|call\s+\w|do\s+\$|refresh\s+materialized|comment\s+on|rename\s+table|lock\s+table|load\s+data|optimize\s+table|exec(?:ute)?\s+\w|kill\s+\d|set\s+global|cluster\s+\w|copy\s+\S{1,200}\s+from|into\s+outfile|shutdown\b/,
    /backup\s+database|restore\s+database|pg_terminate_backend|pg_cancel_backend|pg_reload_conf|setval\s*\(|lo_unlink|upsert\s+into|detach\s+table|attach\s+table|system\s+\w/,
  ].map((part) => part.source).join("|") + ")",
  "i",
);
const SQL_INTO = /\bselect\b[^;]{1,2000}\binto\s+(?!@)[\w".]{1,100}\s+from\b/i;
const REDIS_READ = new Set(
  ("get mget keys scan ttl pttl exists type info ping dbsize hget hgetall hmget hkeys hvals hlen hexists hscan lrange llen lindex smembers " +
    "sismember scard sscan zrange zrevrange zcard zscore zcount zrank zscan zrangebyscore strlen getrange memory object client slowlog time " +
    "monitor subscribe psubscribe xrange xrevrange xlen xinfo xread config-get cluster command latency lastsave role echo randomkey bitcount " +
    "getbit pfcount geopos georadius_ro dump hello acl-whoami ft.search ft.info json.get ts.range srandmember hstrlen lpos debug-object wait touch auth select --scan --bigkeys --stat --latency --memkeys --hotkeys")
    .split(" "),
);
const MONGO_WRITE =
  /\.(?:insert\w{0,10}|update\w{0,10}|delete\w{0,10}|remove\w{0,10}|drop\w{0,20}|replace\w{0,5}|create\w{0,20}|bulkWrite|findAndModify|findOneAnd\w{1,10}|rename\w{0,20}|save|grant\w{1,20}|revoke\w{1,20}|shutdownServer|killOp|add\w{1,20}|reIndex|compact|set\w{1,30}|initialize\w{1,20}|enableSharding|shardCollection|reconfig|initiate|stepDown)\s*\(|\$(?:out|merge)\b/;

const VALUED: Readonly<Record<string, string>> = {
  psql:
    "-h -p -U -d -c -f -o -v -F -R -P -T -L --host --port --username --dbname --command --file --set --variable --output --field-separator --pset",
  pgcli: "-h -p -U -d -u",
  mysql:
    "-h -P -u -D -e -S --host --port --user --database --execute --socket --default-character-set --protocol --defaults-file",
  "redis-cli":
    "-h -p -s -a -n -r -i -u -d -D --user --pass --pipe-timeout --pattern --count",
  mongosh:
    "--host --port -u -p --username --password --eval --authenticationDatabase --db --file -f --authenticationMechanism",
  sqlcmd: "-S -U -P -d -Q -q -i -o -v -s -W -h -w -t -l",
  "clickhouse-client":
    "-h --host --port -u --user --password -q --query -d --database --format",
  cqlsh:
    "-u -p -k -e -f --username --password --keyspace --execute --file --request-timeout",
};

/** Where the statements and the server of each client stand. */
const FAMILY: Readonly<Record<string, string>> = {
  psql: "psql",
  pgcli: "psql",
  pg_dump: "psql",
  pg_dumpall: "psql",
  pg_restore: "psql",
  pg_isready: "psql",
  createdb: "psql",
  dropdb: "psql",
  createuser: "psql",
  dropuser: "psql",
  vacuumdb: "psql",
  reindexdb: "psql",
  pgbench: "psql",
  usql: "psql",
  cockroach: "psql",
  mysql: "mysql",
  mariadb: "mysql",
  mycli: "mysql",
  mysqldump: "mysql",
  "mariadb-dump": "mysql",
  mysqladmin: "mysql",
  mysqlimport: "mysql",
  "redis-cli": "redis-cli",
  "valkey-cli": "redis-cli",
  "keydb-cli": "redis-cli",
  iredis: "redis-cli",
  mongosh: "mongosh",
  mongo: "mongosh",
  mongodump: "mongosh",
  mongoexport: "mongosh",
  mongorestore: "mongosh",
  mongoimport: "mongosh",
  sqlcmd: "sqlcmd",
  "mssql-cli": "sqlcmd",
  bcp: "sqlcmd",
  "clickhouse-client": "clickhouse-client",
  clickhouse: "clickhouse-client",
  cqlsh: "cqlsh",
  snowsql: "sqlcmd",
  sqlplus: "sqlcmd",
  influx: "psql",
  "invoke-sqlcmd": "sqlcmd",
};
const DUMPS =
  /^(?:pg_dump|pg_dumpall|mysqldump|mariadb-dump|mongodump|mongoexport|pg_isready)$/;
const LOADS =
  /^(?:pg_restore|mongorestore|mongoimport|mysqlimport|createdb|dropdb|createuser|dropuser|vacuumdb|reindexdb|pgbench)$/;

/** Whether SQL changes something. */
export function sqlWrites(text: string): boolean {
  const bare = withoutText(text.slice(0, 20_000));
  return SQL_WRITE.test(bare) || SQL_INTO.test(bare);
}

/** SQL without comments and quoted text; time is linear. */
function withoutText(sql: string): string {
  let out = "";
  for (let i = 0; i < sql.length; i++) {
    const c = sql[i];
    let end: number | undefined;
    if (c === "'") end = sql.indexOf("'", i + 1);
    else if (c === "-" && sql[i + 1] === "-") end = sql.indexOf("\n", i);
    else if (c === "/" && sql[i + 1] === "*") {
      end = sql.indexOf("*/", i + 2) + 1;
    }
    if (end === undefined) {
      out += c;
      continue;
    }
    // An open comment or quote hides the rest.
    if (end <= i) return out;
    out += " ";
    i = end;
  }
  return out;
}

/** Whether code for MongoDB's shell changes something. */
export function mongoWrites(text: string): boolean {
  return MONGO_WRITE.test(text.slice(0, 20_000));
}

/** Decides on a database client. */
export const judgeDb: Judge = (command, rule, scene): ReturnType<Judge> => {
  const family = FAMILY[command.program];
  if (!family) return undefined;
  if (
    hasOption(command, "--help") || hasOption(command, "--version") ||
    hasOption(command, "-V")
  ) return judged(rule, command, "neutral");
  const found = positionals(command, new Set(words(VALUED[family] ?? "")));
  const server = serverOf(command, family, found, scene);
  const text = statements(command, family, found, scene);
  const effect = effectOf(command.program, family, text);
  if (server.local) {
    return judged(rule, command, "neutral", {
      category: "neutral.test",
      mutating: effect === "write",
    });
  }
  return judged(rule, command, effect, {
    ...(server.word ? { word: server.word } : {}),
    ...(text.word
      ? { end: Math.max(text.word.end, server.word?.end ?? 0) }
      : {}),
    ...(server.low ? { low: true } : {}),
  });
};

/** What the statements do; those in files count as a change. */
function effectOf(
  name: string,
  family: string,
  text: Statements,
): "read" | "write" {
  if (DUMPS.test(name)) return "read";
  if (LOADS.test(name) || text.opaque) return "write";
  if (family === "redis-cli") return redisWrites(text.value) ? "write" : "read";
  const writes = family === "mongosh"
    ? mongoWrites(text.value)
    : name === "mysqladmin"
    ? !/\b(?:status|ping|processlist|variables|version|extended-status)\b/.test(
      text.value,
    )
    : sqlWrites(text.value);
  return writes ? "write" : "read";
}

/** Sub-commands that change something, of commands that else only read. */
const REDIS_PAIR_WRITE =
  /^(?:client-(?:kill|pause|unpause|no-evict)|memory-purge|slowlog-reset|cluster-(?:reset|failover|forget|meet|addslots|delslots|replicate)|latency-reset|command-reset)$/;

function redisWrites(text: string): boolean {
  const [verb = "", second = ""] = text.trim().toLowerCase().split(/\s+/);
  if (verb === "") return false;
  const pair = `${verb}-${second}`;
  if (REDIS_PAIR_WRITE.test(pair)) return true;
  return !REDIS_READ.has(verb) && !REDIS_READ.has(pair);
}

/** Statements as far as the line shows them. */
interface Statements {
  value: string;
  word?: Word;
  /** They are in a file, or come from another program. */
  opaque: boolean;
}

interface Server {
  local: boolean;
  word?: Word;
  low?: boolean;
}

function serverOf(
  command: Command,
  family: string,
  found: Word[],
  scene: Scene,
): Server {
  const socket = optionValue(command, "-S", "--socket", "-s");
  const host = family === "sqlcmd"
    ? optionValue(command, "-S", "-ServerInstance", "-a", "--accountname")
    : family === "cqlsh"
    ? found[0]
    : optionValue(command, "-h", "--host");
  const url = optionValue(command, "--uri", "-u", "--url", "-ConnectionString");
  const uri = found.find((w) => /:\/\/|\bhost=/.test(w.value)) ??
    (family === "redis-cli" ||
        /^(?:cockroach|influx|mongo)/.test(command.program)
      ? url
      : family === "psql"
      ? optionValue(command, "-d", "--dbname")
      : undefined);
  const env = command.assignments.find((a) =>
    /^(?:PGHOST|MYSQL_HOST|REDIS_HOST|PGHOSTADDR|DATABASE_URL)$/.test(a.name)
  );
  if (host && host.value !== "") {
    return place(
      host,
      target(host.value.replace(/^tcp:/, "").replace(/,\d+$/, "")).host,
    );
  }
  if (uri && /:\/\//.test(uri.value)) return place(uri, target(uri.value).host);
  const conninfo = uri && /\bhost(?:addr)?=([^\s'"]{1,200})/.exec(uri.value);
  if (uri && conninfo) return place(uri, conninfo[1] ?? "");
  if (env) return place(env.value, target(env.value.value).host);
  // A variable that holds a whole address: only running it would tell.
  const names = [...found, ...(uri ? [uri] : [])].find((w) =>
    !w.literal && (w.names ?? []).some((n) =>
      /UR[LI]|DSN|CONN|DATABASE|MONGO|REDIS|PG|DB/i.test(n)
    ) &&
    /^(?:‹›|\$)/.test(w.value)
  );
  if (names) {
    const local = (names.names ?? []).some((n) => /LOCAL|TEST/i.test(n));
    return { local, word: names, ...(local ? { low: true } : {}) };
  }
  const exported = scene.parse.variables.get("PGHOST") ??
    scene.parse.variables.get("MYSQL_HOST");
  if (exported && !isLocalHost(exported)) return { local: false };
  if (socket && /^\//.test(socket.value)) return { local: true };
  if (command.program === "snowsql" || command.program === "sqlplus") {
    return { local: false };
  }
  return { local: true };
}

function place(word: Word, host: string): Server {
  if (
    host.startsWith("/") || host === "." || host === "(local)" ||
    /^\(localdb\)/i.test(host)
  ) {
    return { local: true, word };
  }
  return { local: isLocalHost(host), word };
}

function statements(
  command: Command,
  family: string,
  found: Word[],
  scene: Scene,
): Statements {
  const given = family === "psql"
    ? optionValue(command, "-c", "--command", "-e", "--execute")
    : family === "mysql"
    ? optionValue(command, "-e", "--execute")
    : family === "mongosh"
    ? optionValue(command, "--eval")
    : family === "sqlcmd"
    ? optionValue(command, "-Q", "-q", "-Query")
    : family === "clickhouse-client"
    ? optionValue(command, "-q", "--query")
    : family === "cqlsh"
    ? optionValue(command, "-e", "--execute")
    : undefined;
  if (family === "redis-cli") {
    const verbs = found.length > 0
      ? found
      : command.argv.filter((w) =>
        /^--(?:scan|bigkeys|stat|latency|memkeys|hotkeys)$/.test(w.value)
      );
    if (verbs.length > 0) {
      const last = verbs[verbs.length - 1];
      return {
        value: verbs.map((w) => w.value).join(" "),
        opaque: false,
        ...(last ? { word: last } : {}),
      };
    }
    if (hasOption(command, "--pipe")) return { value: "", opaque: true };
  }
  if (given && given.value !== "") {
    // psql takes several `-c`.
    const all = command.argv.filter((_, i) =>
      /^(?:-c|-e|--command|--eval)$/.test(command.argv[i - 1]?.value ?? "")
    ).map((w) => w.value).join(";\n");
    return {
      value: all.includes(given.value) ? all : given.value,
      word: given,
      opaque: false,
    };
  }
  if (command.program === "mysqladmin") {
    return { value: found.map((w) => w.value).join(" "), opaque: false };
  }
  if (family === "mongosh") {
    const script = found.find((w) => /\.m?js$/.test(w.value)) ??
      optionValue(command, "--file", "-f");
    if (script) return { value: "", word: script, opaque: true };
  } else {
    const file = optionValue(
      command,
      "-f",
      "--file",
      "-i",
      "-InputFile",
      "--queries-file",
    ) ?? found.find((w) => command.program === "sqlplus" && /^@/.test(w.value));
    if (file && family !== "redis-cli" && family !== "mysql") {
      return { value: "", word: file, opaque: true };
    }
  }
  const body = command.redirects.find((r) => r.body)?.body;
  if (body) return { value: body.value, word: body, opaque: false };
  if (command.redirects.some((r) => r.op === "<")) {
    return { value: "", opaque: true };
  }
  const source = command.stdin === undefined
    ? undefined
    : scene.parse.commands[command.stdin];
  if (source) {
    const piped = source.redirects.find((r) => r.body)?.body;
    if (piped) return { value: piped.value, word: piped, opaque: false };
    if (/^(?:echo|printf)$/.test(source.program)) {
      return {
        value: source.argv.slice(1).map((w) => w.value).join(" "),
        opaque: false,
      };
    }
    return { value: "", opaque: true };
  }
  return { value: "", opaque: false };
}
