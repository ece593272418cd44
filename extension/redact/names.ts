/**
 * Names that say their value is a secret: `DB_PASSWORD`, `apiKey`, `密码`.
 *
 * @module
 */
import type { Rule } from "./examples.ts";

/**
 * How much a name says. `password`: every value of it is one. `secret`: its
 * value is one unless it reads like a word or a reference. `weak`: only a
 * value that looks random is.
 */
export type NameLevel = "password" | "secret" | "weak";

const set = (words: string) => new Set(words.split(" "));

/** Whole words that end a password's name. */
const PASSWORD = set(
  "password passwd passwort passphrase passcode pwd pw pass psw pswd passw " +
    "kennwort senha contrasena motdepasse wachtwoord haslo salasana psk " +
    "requirepass masterauth mnemonic preshared pgpassword sshpass secpasswd " +
    "userpassword storepass keypass passe passwrd pword passkey",
);

/** Whole words that end a secret's name. */
const SECRET = set(
  "secret secrets token apikey apitoken authtoken accesstoken secretkey " +
    "accesskey privatekey accountkey masterkey signingkey encryptionkey " +
    "licensekey authkey credential credentials creds bearer jwt pat otp totp " +
    "sas authtok apisecret clientsecret pin mfa",
);

/** Endings of names written in one word: `pgpassword`, `authtoken`. */
const ENDINGS =
  /(?:password|passwd|passphrase|passwort|secret|secretkey|token|apikey|api_?secret|accesskey|privatekey|accountkey|masterkey|signingkey|authkey|encryptionkey|(?:db|user|root|admin|smtp|mail|my|auth|login|ftp|ssh|sudo|become|rpc|http|proxy|key|store|trust|app|svc|service|redis|mongo|pg|mysql|sql|wifi|bind|ldap|repl|test|jenkins|nexus|vpn)(?:pass|pwd|pw))$/;

/** Words before `key` that make it a secret. */
const KEY_QUALIFIERS = set(
  "api access secret private auth account encryption encrypt signing sign " +
    "master storage subscription license licence webhook deploy admin session " +
    "cookie app application consumer client shared hmac jwt aes cipher crypto " +
    "integration ingest ingestion write read server bot service function " +
    "functions host tunnel preshared wrapping unseal recovery rest maps " +
    "production live ssh rsa pgp gpg identity",
);

/** Words before `key` that make it a name for something public or structural. */
const KEY_PUBLIC = set(
  "public pub publishable primary foreign partition sort cache map row object " +
    "hot group range hash index lookup unique composite natural surrogate " +
    "kms s3 issue project jira translation i18n locale message label feature " +
    "config dedup dedupe idempotency routing bucket registry host hosts known " +
    "react list item dict json yaml column field attribute property param " +
    "parameter query path file store anon secretname existing arrow enter tab " +
    "escape space shift ctrl alt meta cmd any no apt gpg-pub answer storagekey " +
    "test metric tag state search candidate",
);

/** Words after which a name is about a secret, not one itself. */
const SUFFIXES = set(
  "file files filename path paths dir directory folder name names id ids url " +
    "urls uri uris endpoint type types kind limit limits count counts counter " +
    "length len size sizes bytes bits min max minimum maximum ttl expiry " +
    "expires expire expiration expired exp age timeout timestamp time date at " +
    "policy policies version versions ver ref refs reference references arn " +
    "arns env envs var vars variable variables field fields header headers " +
    "prefix suffix hash hashed hashes sha256 digest checksum fingerprint " +
    "format mode provider providers store stores storage class label labels " +
    "hint prompt regex regexp pattern patterns alg algo algorithm rotation " +
    "rotate manager server service host hostname port user username owner " +
    "issuer audience scope scopes role roles budget usage cost price bucket " +
    "enabled enable disabled disable required require optional valid invalid " +
    "validator validation strength policy rules rule error errors message " +
    "status state input output field label title description placeholder " +
    "screen page view form reset change changed update updated created rate " +
    "ratio index idx position offset source sources target list map engine " +
    "backend plugin helper command cmd script generator factory handler " +
    "callback middleware guard interceptor test tests spec schema model table " +
    "column row flow method strategy family usage info metadata meta config " +
    "parser lexer stream type symbol kind set ring pair pairs alias visible " +
    "hidden shown required exists email mail address domain login found only free less based auth sync",
);

/** Words after which the word before still decides: `client-key-data`. */
const TRAILERS = set(
  "value val base data text plain plaintext raw string str b64 base64 json old new current " +
    "previous prev next confirm confirmation again repeat retype verify " +
    "default prod production stage staging stg dev development qa uat ci " +
    "live primary secondary backup main master admin root app db api rw ro " +
    "v1 v2 v3 one two a b eu us encoded enc override inline literal content",
);

/** Words before `token` that make it something else. */
const TOKEN_OTHERS = set(
  "next page continuation starting start end pagination cursor cancel " +
    "cancellation max min num total input output prompt completion cached " +
    "special pad eos bos unk stop sync resume design css color syntax lexer " +
    "word sub first last current per of idempotency erc20 nft lp reward " +
    "context thinking reasoning budget count",
);

/** Words that look like a secret's name and are none. */
const PUBLIC = set(
  "author authors authority authorities authorization certificate cert crt " +
    "session sessions cookie cookies sid passenger passengers passes passed " +
    "passing bypass compass keyboard keyboards keyword keywords keys keychain " +
    "keyring keystore monkey turkey hockey authored coauthored pub stdin",
);

/** Names of secrets in other scripts. */
const FOREIGN =
  /(?:密码|密碼|口令|密钥|密鑰|令牌|パスワード|暗証番号|秘密鍵|トークン|пароль|пароля|токен|секрет|비밀번호|암호|토큰|contraseña|contrasena|clave secreta|mot de passe|wachtwoord|hasło|parola|şifre|סיסמה|كلمة المرور|รหัสผ่าน|mật khẩu)/giu;

const CORE =
  /pass|pwd|pw|psw|secret|token|key|cred|auth|senha|kennwort|psk|mnemonic|bearer|jwt|cookie|session|haslo|salasana|[_.-]pat\b|otp|_sas\b|signature|webhook|wachtwoord|contrasena|dsn|salt|pin\b/gi;

/** A name in a text. */
export interface NameAt {
  /** Start of the name. */
  start: number;
  /** Its end. */
  end: number;
  /** What it says. */
  level: NameLevel;
}

const IDENT = /[A-Za-z0-9_.-]/;
const MAX_NAME = 80;

/** Cut a name into words: `dbPassword` and `DB_PASSWORD` to `db`, `password`. */
export function nameWords(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((w) => w !== "");
}

const cache = new Map<string, NameLevel | "">();

/** What a name says of its value; undefined: nothing. */
export function nameLevel(name: string): NameLevel | undefined {
  if (name.length > MAX_NAME) return undefined;
  const known = cache.get(name);
  if (known !== undefined) return known === "" ? undefined : known;
  const level = judge(name);
  // Names repeat; a bound keeps hostile texts from growing the table.
  if (cache.size >= 2000) cache.clear();
  cache.set(name, level ?? "");
  return level;
}

function judge(name: string): NameLevel | undefined {
  // npm's, Redis's and others' pairs of user and password.
  if (/^(?:_auth|[A-Z0-9_]{2,40}_AUTH)$/.test(name)) return "secret";
  const words = nameWords(name);
  while (words.length > 1) {
    const last = words.at(-1) ?? "";
    if (!/^\d{1,3}$/.test(last) && !TRAILERS.has(last)) break;
    words.pop();
  }
  const last = (words.at(-1) ?? "").replace(/(?<=[a-z]{3})\d{1,2}$/, "");
  const before = words.at(-2) ?? "";
  if (last === "") return undefined;
  if (last === "key" || last === "keys") {
    if (KEY_PUBLIC.has(before) || words.includes("public")) return undefined;
    if (KEY_QUALIFIERS.has(before)) return "secret";
    return "weak";
  }
  if (/tokens?$/.test(last)) {
    if (last === "tokens" || TOKEN_OTHERS.has(before)) return undefined;
    return "secret";
  }
  if (PASSWORD.has(last)) return "password";
  if (SECRET.has(last)) {
    return last === "pin" || last === "mfa" ? "weak" : "secret";
  }
  if (ENDINGS.test(last)) {
    return /pass|pwd|pw$/.test(last) ? "password" : "secret";
  }
  if (last === "seed" && before === "wallet") return "password";
  if (last === "phrase" && /^(?:seed|pass|recovery|secret)$/.test(before)) {
    return "password";
  }
  if (
    last === "code" &&
    /^(?:mfa|otp|totp|token|backup|recovery|pass)$/.test(before)
  ) {
    return "secret";
  }
  if (last === "string" && /^(?:connection|conn)$/.test(before)) return "weak";
  if (PUBLIC.has(last) || words.includes("public")) return undefined;
  return last === "auth" || !SUFFIXES.has(last) ? "weak" : undefined;
}

/** The names in a text that may say something, in order. */
export function namesIn(text: string): NameAt[] {
  const out: NameAt[] = [];
  CORE.lastIndex = 0;
  for (let m = CORE.exec(text); m; m = CORE.exec(text)) {
    let start = m.index;
    let end = start + m[0].length;
    const low = Math.max(0, start - MAX_NAME);
    const high = Math.min(text.length, end + MAX_NAME);
    while (start > low && IDENT.test(text[start - 1] ?? "")) start--;
    while (end < high && IDENT.test(text[end] ?? "")) end++;
    // A dash or dot that only leads or ends is no part of a name.
    while (start < end && /[.-]/.test(text[start] ?? "")) start++;
    while (end > start && /[.-]/.test(text[end - 1] ?? "")) end--;
    CORE.lastIndex = Math.max(end, m.index + m[0].length);
    start += coded(text, start, end);
    let level = nameLevel(text.slice(start, end));
    if (level === "weak" && isSpelled(text, start, end)) level = "secret";
    if (level) out.push({ start, end, level });
  }
  if (!WIDE.test(text)) return out;
  for (const m of text.matchAll(FOREIGN)) {
    out.push({ start: m.index, end: m.index + m[0].length, level: "password" });
  }
  return out;
}

/** `%22password%22`, `-DapiKey=x`: what before the name belongs to no name. */
function coded(text: string, start: number, end: number): number {
  const before = text[start - 1];
  if (before === "%") {
    return /^(?:25)?[2357][0-9A-F](?=[A-Za-z])/i
      .exec(text.slice(start, start + 6))?.[0].length ?? 0;
  }
  return before === "-" && text[end] === "=" &&
      /^[DP][a-z]/.test(text.slice(start, start + 2))
    ? 1
    : 0;
}

/** `API key`, `Secret access key`: a name in words. */
function isSpelled(text: string, start: number, end: number): boolean {
  if (!/^keys?$/i.test(text.slice(start, end))) return false;
  const word = /([A-Za-z]{3,16})[ \t]$/.exec(
    text.slice(Math.max(0, start - 17), start),
  )?.[1];
  return word !== undefined && KEY_QUALIFIERS.has(word.toLowerCase());
}

const WIDE = /[\u0080-\uffff]/;

// What names give away. Data: a row documents and tests itself.

/** The rules. */
export const NAMED_RULES: readonly Rule[] = [
  {
    id: "password",
    finds:
      "Values named password, passphrase, pwd and the like, in any language of configuration and some of people",
    examples: {
      hit: [
        "PGPASSWORD=«hunter2!» psql -h db -U app -c 'select 1'",
        "PGPASSWORD='«p@ss w0rd;$x»' pg_dump -h db app",
        "export DB_USER=app DB_PASS=«twoOnOne7» DB_HOST=db; ./run.sh",
        "cat > .env <<EOF\nDATABASE_HOST=db\nDB_PASSWORD=«correcthorse»\nEOF",
        "cat > c.yml <<EOF\nsmtp:\n  password: «Sup3rS3cret»\nEOF",
        "cat > c.yml <<EOF\nsmtp:\n  password: |\n    «bl0ck-Pw»\nEOF",
        'curl -d \'{"username":"bob","password":"«b0bsPw»"}\' https://api.example/login',
        'bash -c "curl -d \\"{\\\\\\"password\\\\\\":\\\\\\"«b0bsPw»\\\\\\"}\\" https://x"',
        'export CONN="Server=tcp:db;User ID=sa;Password=«MsSql!Pw1»;Encrypt=True"',
        "mysqldump --password=«S3cretPw9» -u root app",
        "$env:DB_PASSWORD = '«psPw123»'",
        "set DB_PASSWORD=«w1nSet9» && node x.js",
        "<server><password>«mvnPw99»</password></server>",
        "machine github.com login me password «s3cr3tNet»",
        'echo "数据库密码: «Kaifa#2025»" >> x.txt',
        "docker compose up # uses ${DB_PASSWORD:-«c0mposePw»}",
        "the password is «hunter22x» please",
        "java -jar a.jar --spring.datasource.password=«Rainy.day04» --port=1",
        "cat > a.yml <<EOF\ndb:\n  password: «rainy.day04»\nEOF",
        "jdbc:sqlserver://sql:1433;user=sa;password=«Rainy.day04»;encrypt=true",
        "await page.getByLabel('Password').fill('«Rainy-day04»')",
        "cy.get('[name=password]').type('«Rainy-day04»')",
        "await page.fill('#password', '«Rainy.day04»')",
        "new Sequelize('shop', 'app', '«Rainy.day04»', { host: 'db' })",
        "dsadd user cn=bob -pwd «Rainy-day04»",
        "User::create(['password' => Hash::make('«Rainy_day04»')])",
        "rsync --password-file=<(echo «Rainy-day04») a rsync://b@h/m",
        "connect(host=db, user=root, password=«Rainy-day04») failed",
        "sqlcmd -Q \"CREATE LOGIN app WITH PASSWORD = N'«Rainy_day04»'\"",
        "read -r DB_PASS <<< '«Rainy.day04»'",
        "echo «Rainy-day04» > /run/secrets/db_password",
        "printf '%s' '«rainyday»' | sudo tee secrets/db_password.txt",
        "expect -c 'spawn ssh h; expect password:; send \"«Rainy_day04»\\r\"'",
        'expect <<EOF\nspawn ssh h\nexpect "password:"\nsend "«exp3ctPw»\\r"\nEOF',
        "redis-cli ACL SETUSER bob on '>«r3dAcl1x»' ~* +@all",
        "<plist><key>DbPassword</key><string>«pl1stPw»</string></plist>",
        '[{"name":"SMTP_PASSWORD","value":"«smtpPass3»"}]',
      ],
      miss: [
        'mysql -u root --password="$MYSQL_PWD" app',
        "PGPASSWORD=$(swamp vault read-secret prod DB --force) psql -h db",
        "export POSTGRES_PASSWORD_FILE=/run/secrets/pg_password",
        "echo 'DB_PASSWORD=op://prod/postgres/password' > .env.tpl",
        "echo 'password: {{ .Values.auth.password | quote }}' >> s.yaml",
        'git commit -m "fix: password prompt: show error when token expired"',
        "sed -n 's/^password:.*/x/p' config.yml",
        "cat > a.ts <<'EOF'\ninterface A { password: string | null }\nEOF",
        "password = getpass.getpass()",
        "./app --password-auth=false --no-password",
        "PASSWORD_MIN_LENGTH=12 ./x",
        "PASSWORD=`openssl rand -hex 8`",
        'curl -d \'{"password":"<password>","token":null}\' https://x',
        "password: str = Field(min_length=8)",
        'echo "password: ********"',
        "password = cfg.password2",
        "await page.fill('#password', user.password); cy.get('#password').type(pw)",
        "cy.get('[name=password]').should('have.attr', 'type', 'password')",
        "hash_password(password) == make_password(request.POST['password'])",
        "login(user='app', password=pw2)",
        "password: user.password1Hash",
        "psql -c 'ALTER USER a PASSWORD EXPIRE'",
        'read -r DB_PASS <<< "$X"',
        "echo hello > tests/password.spec.ts",
        "echo 'rotate weekly' > docs/password.txt",
      ],
    },
  },
  {
    id: "secret",
    finds:
      "Values named token, secret, key, credential and the like, unless they read like words, references or code",
    examples: {
      hit: [
        "CLOUDFLARE_API_TOKEN=«+40u» npx wrangler deploy",
        "HEROKU_API_KEY=«+8h-+4h-+4h-+4h-+12h» heroku ps -a x",
        "vercel deploy --prod --token=«+24»",
        'wget --header "X-Api-Key: «+32h»" https://api.example/d',
        'cat > main.tf <<EOF\nprovider "x" {\n  api_token = "«+40»"\n}\nEOF',
        "node -e \"const apiKey = '«+32h»'; require('./x')(apiKey)\"",
        'os.environ["API_KEY"] = "«+32»"',
        "aws cloudformation deploy --parameter-overrides ApiToken=«+24» Stage=prod",
        'setx API_TOKEN "«+32h»" /M',
        "JWT_SECRET=«keyboardcat» node x.js",
        "psql -c \"CREATE SECRET s (TYPE S3, KEY_ID 'x', SECRET '«Rainy.day04»')\"",
      ],
      miss: [
        "echo 'token: ${{ secrets.GITHUB_TOKEN }}' > w.yml",
        "llm run --max-tokens=4096 --token-count 12000",
        "helm upgrade api ./c --set auth.secretName=db-creds --set auth.secretKey=password",
        "cosign verify --key cosign.pub img",
        "export OPENAI_API_KEY=<your-api-key>",
        'echo "API_KEY=YOUR_API_KEY_HERE" > .env.example',
        'node -e "const token = import.meta.env.API_TOKEN"',
        "aws logs get-log-events --log-group g --next-token f/36955834589120480230",
        "psql -c 'alter table t add primary key (id)'",
        'curl -d \'{"token_type":"bearer","keyId":"k1"}\' https://x',
        "gcloud run deploy api --set-secrets=DB_PASSWORD=db-password:latest,API_KEY=api-key:3",
        "helm install x ./c --set auth.existingSecret=pg-secret,auth.secretKeys.adminPasswordKey=admin",
        "DROP SECRET s; CREATE SECRET s (TYPE s3, PROVIDER credential_chain)",
      ],
    },
  },
  {
    id: "stdin-secret",
    finds: "What is piped into a flag that says it reads a secret from stdin",
    examples: {
      hit: [
        "echo '«plain-S3c»' | some-tool login --password-stdin",
        "echo '«gpgPp12»' | gpg --batch --passphrase-fd 0 -d f",
      ],
      miss: ["cat pw.txt | some-tool login --password-stdin"],
    },
  },
];
