/**
 * What names give away. Data: a row documents and tests itself.
 *
 * @module
 */
import type { Rule } from "./examples.ts";

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
