import { describe, expect, it } from "vitest";
import { makeExample } from "./examples.ts";
import { redact } from "./redact.ts";

/** Names and values as code, tables and encoded text join them. */
const HIDDEN = [
  // Declarations with a type.
  'db_password: str = "«Rainy-day04»"',
  'private readonly apiKey: string = "«+20»";',
  'const dbPassword string = "«Rainy_day04»"',
  'const API_KEY: &\'static str = "«+32h»";',
  'token: str | None = "«+32»"',
  // What stands in for a variable that is not set.
  'const k = process.env.DB_PASSWORD || "«rainyday4»";',
  "const k = process.env.API_KEY ?? '«+32h»'",
  'key = os.environ["API_KEY"] or "«+24»"',
  'os.environ.get("API_KEY", "«+20»")',
  'ENV.fetch("DB_PASSWORD", "«Rainy-day04»")',
  // Definitions.
  '#define WIFI_PASSWORD "«Rainy.day04»"',
  '{:db-password "«Rainy.day04»"}',
  "jq -n --arg token '«+24»' '{t: $token}'",
  'db_password <- "«Rainy-day04»"',
  '"clientSecret" to "«+32»"',
  // Lists.
  '["--db-password", "«Rainy-day04»", "run"]',
  "VALUES ('smtp_password', '«Rainy-day04»')",
  'subprocess.run(["sshpass", "-p", "«rainy-day4»", "ssh", "h"])',
  'execFile("mysql", ["-uroot", "-p«rainyday4»", "app"])',
  // Made of a text.
  'client_secret: Some("«+20»")',
  'password = SecretStr("«Rainy-day04»")',
  // Columns.
  "username,password,mail\nbob,«Rainy.day04»,bob@host\nal,«Snowy.day05»,al@host",
  "INSERT INTO users (name, password) VALUES ('bob', '«Rainy.day04»'), ('al', '«Snowy.day05»')",
  "| DB_PASSWORD | «Rainy-day04» |",
  "| `API_TOKEN` | `«+24»` |",
  // Percent-encoded.
  "curl 'https://x.example/?to=%2Fcb%3Fauth_token%3D«+24»%26a%3D1'",
  "{%22password%22:%22«Rainy.day04»%22,%22a%22:1}",
  "q=%7B%22api_key%22%3A%22«+24»%22%7D",
  // Replacements of editors.
  "sed -i 's/^API_KEY=.*/API_KEY=«+24»/' .env",
  'sed -i "s|password: .*|password: «Rainy-day04»|" c.yml',
  // Members and lines between.
  '{"name":"Password","type":"textbox","ref":"e14","value":"«rainyday4»"}',
  "mytool \\\n  --password=\\\n«rainyday4» \\\n  --host x",
  "curl -H \"Authorization: Bearer «+14»\"'«+16»' https://api.example/v1/me",
  '{"path":"/app/.env","content":"A=1\\nAPI_TOKEN=«+24»\\nDB_PASSWORD=\\"«rainyday4»\\"\\n"}',
  "| service | user | password |\n|---|---|---|\n| grafana | admin | «Rainy-day04» |",
  "jwt.sign({ sub: 1 }, '«badger-velvet-sign»')",
  "createHmac('sha256', '«badger-velvet-1»').update(body)",
  "printf 'login me\\n password %s\\n' «rainyday4» >> ~/.netrc",
  "# staging login: admin / «r8inyd4y&k*50»",
  "echo '«r8inyd4y»==>***REMOVED***' > expr.txt",
  // Prose.
  "The access_token is `«+24»`.",
  "API key: «+32h»",
  "password: «correct-horse-battery-staple»",
  "redis-cli HSET config smtp_password «Rainy-day04»",
  'redis-cli SET app:api_key "«+20»"',
  "psql -v password=\"'«rainyday4»'\" -f a.sql",
  "java -Dapi_key=«+64h» -jar a.jar",
  `aws secretsmanager put-secret-value --secret-id x --secret-string '{"user":"app","smtp":"«rainyday4»"}'`,
];

const KEPT = [
  "password: str = Field(min_length=8)",
  'token: str = ""',
  'const password: string = config.get("db.password")',
  'const k = process.env.DB_PASSWORD || ""',
  'const t = opts.token || "none"',
  '[ -n "$TOKEN" ] || "$0" --help',
  'os.environ.get("API_KEY", "changeme")',
  'getenv("AWS_SECRET_NAME", "prod/db-2")',
  'fields = ["password", "passwordConfirm2", "oauth2"]',
  'names: ["db_password", "v1beta1", "sha256"]',
  'CMD ["mysqld", "--password-file", "/run/x"]',
  "spawn('docker', ['run', '-p', '8080:80', 'nginx'])",
  'password: z.string("Needs 1 digit")',
  'password = t("auth.login.password2")',
  "password = prompt('Password 2')",
  "id,token_count,name\n1,500,bob",
  "user,password\nbob,********",
  "INSERT INTO users (name, password) VALUES ('bob', '$2b$10$x'), (?, ?)",
  "| password | varchar(255) | not null |",
  "| token | string | The token |",
  "cat key | token | base64",
  "sed -i 's/^API_KEY=.*/API_KEY=changeme/' .env",
  'sed -i "s|password: .*|password: ${PW}|" c.yml',
  "cache key: 9f2c4e6a8b0d1f3e5a7c9b1d3f5e7a9c",
  "password: see-the-docs",
  "redis-cli SET app:token-count 5 && redis-cli HSET cfg secret_name db-2",
  "SECRETS_URL=https://vault.example/v1/secret ./x",
  "TOKEN=os.environ['X']",
  "arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf",
  `aws secretsmanager put-secret-value --secret-id x --secret-string '{"username":"app","password":"changeme"}'`,
  "gh secret set API_KEY -b <your-token> -R o/r",
  "%TOKEN%=x",
  `loadStripe('${"pk_test_" + "kSLK2haehUOZNVPw9O0Cj1c6"}')`,
  "git push --force-with-lease=refs/heads/api-token:dae41adf25f22b540c99929e68bcfe208a52a7fe origin",
  'let password: SecretString = prompt_password("Password: ")?;',
  "go test -run 'TestLogin/wrong_password:_returns_401|TestToken_Refresh'",
  'pytest "tests/test_auth.py::test_expired[token=expired-password=short]"',
  "printf 'API_KEY=\\nAPI_SECRET=\"\"\\n' > .env.example",
  "Buffer.from('eyJwYWdlIjoyLCJzb3J0IjoibmFtZSIsImRpciI6ImFzYyJ9','base64')",
  "| field | type | password |\n|---|---|---|\n| a | string | required |",
  "jwt.verify(token, 'sha256')",
];

describe("names and values in code, tables and encoded text", () => {
  it.each(HIDDEN)("hidden in %s", (example) => {
    const { text, secrets } = makeExample(example);
    const redacted = redact(text).text;
    expect(secrets.length).toBeGreaterThan(0);
    for (const secret of secrets) {
      expect(redacted).not.toContain(secret.slice(0, 6));
    }
    expect(redact(redacted).text).toBe(redacted);
  });

  it.each(KEPT)("kept: %s", (text) => {
    expect(redact(text).text).toBe(text);
  });
});
