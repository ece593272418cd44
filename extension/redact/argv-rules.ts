/**
 * Where programs take secrets among their arguments or on stdin. Data: a row
 * documents and tests itself.
 *
 * @module
 */
import type { Rule } from "./examples.ts";

/** What of a word is the secret. */
export type Part =
  /** The whole word. */
  | "all"
  /** `user:SECRET`. */
  | "colon"
  /** `NAME=SECRET`. */
  | "equals"
  /** `user%SECRET`. */
  | "percent"
  /** `user,SECRET`. */
  | "comma"
  /** `user/SECRET@db`. */
  | "slash"
  /** `pass:SECRET`, as OpenSSL takes it. */
  | "pass"
  /** Cookies. */
  | "cookie";

/** How one program takes a secret. */
export interface ArgvRule extends Rule {
  /** Programs, lower case, without `.exe`. */
  programs: readonly string[];
  /** Words that must all stand among the arguments, in any order. */
  when?: readonly string[];
  /** Flags whose value, glued by `=` or the next word, is the secret. */
  flags?: readonly string[];
  /** Flags with the secret glued on: `-pS3cret`, `/pass:x`. */
  glued?: readonly string[];
  /** The flag may end a cluster of short ones: `-sku a:b`. */
  cluster?: boolean;
  /** The positional after the last word of `when`: its index; -1 is the last. */
  at?: number;
  /** That positional counts only with such a flag. */
  needs?: RegExp;
  /** That positional counts only if the one before names a secret. */
  named?: boolean;
  /** Every `NAME=VALUE` after the last word of `when` holds one. */
  pairs?: boolean;
  /** What it reads from a pipe, a here-string or a heredoc is the secret. */
  stdin?: boolean;
  /** What of the word; the whole unless said. */
  part?: Part;
}

type Row =
  & Omit<
    ArgvRule,
    "id" | "finds" | "programs" | "when" | "flags" | "glued" | "examples"
  >
  & {
    when?: string;
    flags?: string;
    glued?: string;
    miss?: string[];
  };

const list = (words: string | undefined) =>
  words === undefined ? undefined : words.split(" ");

function row(
  id: string,
  programs: string,
  how: Row,
  ...hit: string[]
): ArgvRule {
  const { when, flags, glued, miss, ...more } = how;
  const rule: ArgvRule = {
    id,
    finds: FINDS[id] ?? id,
    programs: programs.split(" "),
    examples: miss ? { hit, miss } : { hit },
    ...more,
  };
  const w = list(when);
  const f = list(flags);
  const g = list(glued);
  if (w) rule.when = w;
  if (f) rule.flags = f;
  if (g) rule.glued = g;
  return rule;
}

const FINDS: Record<string, string> = {
  "database-password":
    "Passwords that database clients take by position or short flag",
  "web-login": "Users' passwords that HTTP clients take",
  "registry-login":
    "Passwords and tokens given to package and image registries",
  "cloud-secret": "Secrets that clouds' command lines take",
  "secret-store": "Values put into vaults, secret stores and CI secrets",
  "remote-password":
    "Passwords of remote shells, shares, desktops and directories",
  "archive-password": "Passwords of archives and documents",
  "key-passphrase": "Passphrases of keys, certificates and keystores",
  "account-password": "Passwords set for accounts",
  "tool-token": "Tokens that tools take by position or short flag",
  "stdin-secret": "Secrets echoed into commands that read them from stdin",
  "swamp-vault": "Values put into a swamp vault",
};

/** The rows. */
export const ARGV_RULES: readonly ArgvRule[] = [
  // swamp
  row(
    "swamp-vault",
    "swamp",
    {
      when: "vault put",
      pairs: true,
      stdin: true,
      miss: [
        "swamp vault put prod API_KEY",
        "swamp vault read-secret prod API_KEY --force --json",
      ],
    },
    "swamp vault put prod API_KEY=«plainvalue» --json",
    'echo "«pipedS3cret»" | swamp vault put prod API_KEY --json',
    "printf '%s' '«pr1ntfS3c»' | timeout 30 swamp vault put prod DB_PASS",
    'swamp vault put prod K <<< "«h3r3str»"',
    "swamp vault put prod K <<'EOF'\n«h3r3d0c»\nEOF",
  ),
  row(
    "swamp-vault",
    "swamp",
    { when: "vault put", at: 2 },
    "swamp vault put prod API_KEY «plain-value-9»",
  ),
  // databases
  row(
    "database-password",
    "mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlshow mysqlslap mysqlbinlog mysqlpump mysqlsh mariadb mariadb-dump mariadb-admin mycli xtrabackup innobackupex pt-query-digest",
    {
      glued: "-p",
      miss: [
        "mysql -h db -P 3306 -u root -p app",
        'mysql -u root -p"$MYSQL_PWD" app',
      ],
    },
    "mysql -uroot -p«S3cretPw» -h db app",
    "docker exec db mysqldump -u root -p'«S3cret Pw»' app",
  ),
  row("database-password", "redis-cli valkey-cli keydb-cli redli iredis", {
    flags: "-a --pass --askpass-value",
  }, "redis-cli -h cache -a «r3d1sPass» FLUSHALL"),
  row(
    "database-password",
    "mongosh mongo mongodump mongorestore mongoexport mongoimport mongostat mongotop",
    {
      flags: "-p --password",
      glued: "-p",
      miss: ["mongosh --port 27017 -u admin -p"],
    },
    "mongosh -u admin -p «m0ngoPw» --host db",
  ),
  row("database-password", "sqlcmd bcp osql isql tsql mssql-cli", {
    flags: "-P --password",
    glued: "-P",
  }, "sqlcmd -S db -U sa -P '«MsSql!Pw1»' -Q 'select 1'"),
  row("database-password", "sqlplus expdp impdp exp imp sqlldr rman sqlcl", {
    at: 0,
    part: "slash",
    miss: ["sqlplus / as sysdba"],
  }, "sqlplus scott/«t1gerPw»@db.example:1521/xe"),
  row(
    "database-password",
    "cqlsh clickhouse-client clickhouse clickhouse-local cypher-shell neo4j-admin influx couchbase-cli cbq couchdb snowsql presto trino beeline vsql nzsql ksql arangosh cbbackup neo4j",
    {
      flags: "-p -P --password --pass --server.password -w",
      miss: ["influx -p"],
    },
    "cypher-shell -u neo4j -p «n3o4jPw» 'MATCH (n) RETURN n'",
    "beeline -u jdbc:hive2://h:10000 -n me -p «h1vePw»",
  ),
  row("database-password", "neo4j-admin", {
    when: "set-initial-password",
    at: 0,
  }, "neo4j-admin dbms set-initial-password «n3o4jInit»"),
  row(
    "database-password",
    "redis-cli valkey-cli",
    { when: "auth", at: -1 },
    "redis-cli AUTH «r3d1sPass»",
  ),
  row("database-password", "redis-cli valkey-cli", {
    when: "requirepass",
    at: 0,
  }, "redis-cli CONFIG SET requirepass «r3d1sNew»"),
  row(
    "database-password",
    "rabbitmqctl",
    { when: "add_user", at: 1 },
    "rabbitmqctl add_user app «r4bbitPw»",
  ),
  row(
    "database-password",
    "rabbitmqctl",
    { when: "change_password", at: 1 },
    "rabbitmqctl change_password app «r4bbitPw»",
  ),
  row(
    "database-password",
    "rabbitmqadmin mosquitto_pub mosquitto_sub mqtt kcat kafkacat",
    {
      flags: "-p -P --password -pw",
      miss: ["mosquitto_pub -h broker -p 1883 -t a"],
    },
    "mosquitto_pub -h broker -u me -P «mqttPw1» -t a -m b",
  ),
  // HTTP
  row(
    "web-login",
    "curl curlie",
    {
      flags: "-u --user --proxy-user -U --tlsuser",
      glued: "-u",
      cluster: true,
      part: "colon",
      miss: ['curl -u "$USER:$PASS" https://x', "curl -u admin https://x"],
    },
    "curl -u admin:«s3cr3t» https://jenkins.example/job/x/build -X POST",
    'curl --user "deploy:«p4ss:word»" https://nexus.example/',
    "curl -sSu me:«t0kenish» https://x",
  ),
  row("web-login", "curl curlie wget aria2c", {
    flags:
      "--oauth2-bearer --pass --proxy-pass --tlspassword --proxy-tlspassword --http-password --ftp-password --http-passwd --ftp-passwd --proxy-password --password",
  }, "wget --user me --password «w3getPw» https://example.com/f"),
  row("web-login", "curl curlie", {
    flags: "-b --cookie",
    glued: "-b",
    cluster: true,
    part: "cookie",
    miss: ["curl -b jar.txt https://x"],
  }, 'curl -b "session=«+64u»; theme=dark" https://app.example/admin'),
  row("web-login", "http https xh xhs httpie", {
    flags: "-a --auth",
    part: "colon",
    miss: ["http -a me https://x"],
  }, "http -a admin:«ht1ePw» https://example.com/x"),
  row("web-login", "ab siege wrk hey bombardier vegeta k6 oha", {
    flags: "-A -a -P",
    part: "colon",
  }, "ab -n 10 -A me:«b3nchPw» https://x/"),
  row(
    "web-login",
    "htpasswd",
    {
      at: -1,
      needs: /^-[A-Za-z]{0,5}b/,
      miss: ["htpasswd -c .htpasswd admin"],
    },
    "htpasswd -bc .htpasswd admin «htpw99»",
    "htpasswd -nbB admin «htpw99»",
  ),
  row(
    "web-login",
    "caddy",
    { when: "hash-password", flags: "--plaintext -p" },
    "caddy hash-password --plaintext «c4ddyPw»",
  ),
  // registries
  row(
    "registry-login",
    "docker podman nerdctl buildah skopeo crane oras helm helmfile img regctl finch ctr lerna",
    {
      when: "login",
      flags: "-p --password --secret",
      glued: "-p",
      miss: [
        "docker run -p 8080:80 -d nginx",
        "docker login -u ci --password-stdin registry.example < pw.txt",
      ],
    },
    "docker login -u ci -p «dckrTok3n» registry.example",
    'echo "«Reg1stryPw»" | docker login -u ci --password-stdin registry.example',
  ),
  row("registry-login", "skopeo buildah podman", {
    flags: "--creds --src-creds --dest-creds",
    part: "colon",
  }, "skopeo copy --dest-creds me:«sk0peoPw» docker://a docker://b"),
  row("registry-login", "ctr nerdctl crictl", {
    flags: "-u --user --creds",
    part: "colon",
    miss: ["nerdctl run -u 1000:1000 alpine id"],
  }, "crictl pull --creds me:«cr1ctlPw» registry.example/a"),
  row(
    "registry-login",
    "twine poetry flit hatch",
    { flags: "-p --password" },
    "twine upload -u me -p «tw1nePw» dist/*",
  ),
  row(
    "registry-login",
    "poetry",
    { when: "config", at: 1, named: true },
    "poetry config pypi-token.pypi «p03tryTok»",
  ),
  row("registry-login", "poetry composer bundle bundler", {
    when: "config",
    at: 2,
    named: true,
  }, "poetry config http-basic.corp me «p03tryPw»"),
  row("registry-login", "npm yarn pnpm bun", {
    when: "config set",
    at: 1,
    named: true,
    miss: ["npm config set registry https://registry.npmjs.org/"],
  }, "npm config set //registry.npmjs.org/:_authToken «+8h-+4h-+4h-+4h-+12h»"),
  row(
    "registry-login",
    "npm yarn pnpm",
    { flags: "--otp" },
    "npm publish --otp «482913»",
  ),
  row("registry-login", "nuget dotnet", {
    when: "push",
    flags: "-k --api-key -ApiKey",
  }, "dotnet nuget push a.nupkg -k «n4getKey» -s https://x"),
  row(
    "registry-login",
    "nuget",
    { when: "setapikey", at: 0 },
    "nuget setapikey «n4getKey» -Source https://x",
  ),
  row(
    "registry-login",
    "nuget dotnet",
    { flags: "-p --password -Password" },
    "dotnet nuget add source https://x -n corp -u me -p «n4getPw»",
  ),
  row(
    "registry-login",
    "cargo",
    { when: "login", at: 0 },
    "cargo login «c4rgoTok»",
  ),
  row(
    "registry-login",
    "gem",
    { flags: "-k --key", when: "push" },
    "gem push a.gem --key «g3mKey1»",
  ),
  row("registry-login", "conan", {
    flags: "-p --password",
    when: "user",
    miss: ["conan user -p"],
  }, "conan user -p «c0nanPw» -r corp me"),
  row("registry-login", "jf jfrog", {
    flags: "--password --access-token --apikey --refresh-token",
  }, "jf c add --url https://x --user me --password «jfr0gPw»"),
  // clouds
  row(
    "cloud-secret",
    "az",
    {
      flags:
        "-p --password --client-secret --account-key --sas-token --admin-password --connection-string --certificate-password --secret --docker-registry-server-password",
      miss: [
        "az login",
        "az keyvault secret show --name x --vault-name v",
        "az pipelines run -p project",
      ],
    },
    "az login --service-principal -u app -p «kQ8~+34u» --tenant t",
    "az vm user update -g rg -n vm -u ops -p '«Vm#Reset2025»'",
  ),
  row(
    "cloud-secret",
    "az",
    { when: "keyvault secret set", flags: "--value" },
    "az keyvault secret set --vault-name v --name db --value '«kvV4lue»'",
  ),
  row("cloud-secret", "az", {
    when: "appsettings set",
    pairs: true,
    miss: [
      "az webapp config appsettings set -n a -g rg --settings WEBSITE_RUN_FROM_PACKAGE=1",
    ],
    named: true,
  }, "az webapp config appsettings set -n a -g rg --settings DB_PASS=«appS3t»"),
  row("cloud-secret", "aws", {
    when: "configure set",
    at: 1,
    named: true,
    miss: ["aws configure set region eu-west-1"],
  }, "aws configure set aws_secret_access_key «+40b» --profile prod"),
  row(
    "cloud-secret",
    "aws",
    {
      flags:
        "--secret-string --master-user-password --admin-user-password --auth-token --temporary-password --user-password --token-code --mfa-code --session-token --password",
      miss: [
        "aws secretsmanager get-secret-value --secret-id prod/db/password",
      ],
    },
    "aws secretsmanager create-secret --name db --secret-string '«plain-S3cret»'",
    "aws rds create-db-instance --master-username a --master-user-password «rdsPw9x»",
  ),
  row(
    "cloud-secret",
    "aws",
    {
      when: "ssm put-parameter",
      flags: "--value",
      needs: /^SecureString$/,
      miss: [
        "aws ssm put-parameter --name /a --type String --value blue-green",
      ],
    },
    "aws ssm put-parameter --name /app/key --type SecureString --value «ssmV4lue» --overwrite",
  ),
  row(
    "cloud-secret",
    "gcloud",
    { when: "secrets", stdin: true },
    "echo -n '«gcpS3cret»' | gcloud secrets create db --data-file=-",
  ),
  row(
    "cloud-secret",
    "gcloud aliyun ibmcloud oci tccli hcloud scw exo linode-cli vultr-cli civo upctl",
    {
      flags:
        "--password --root-password --apikey -apikey --api-key --secret-key --access-key-secret --root_pass --client-secret -p",
      miss: ["gcloud compute ssh vm -p 22"],
    },
    "ibmcloud login --apikey «+44u» -r us-south",
  ),
  row(
    "cloud-secret",
    "doctl",
    { flags: "-t --access-token" },
    "doctl -t «d0ctlTok» account get",
  ),
  row("cloud-secret", "openstack nova glance swift", {
    flags: "--os-password --os-token --password -K",
  }, "openstack --os-password «0penStk» server list"),
  row("cloud-secret", "rclone", {
    flags: "--s3-secret-access-key --password --obscure",
  }, "rclone copy a b --s3-secret-access-key «+40b»"),
  row("cloud-secret", "s3cmd s4cmd s5cmd minio", {
    flags: "--secret_key --secret-key --access-token",
  }, "s3cmd --access_key a --secret_key «+40b» ls"),
  row("cloud-secret", "mc", {
    when: "alias set",
    at: -1,
    miss: ["mc alias set local http://localhost:9000 $KEY $SECRET"],
  }, "mc alias set m https://m.example minioadm «m1n1oSecret»"),
  row(
    "cloud-secret",
    "mc",
    { when: "host add", at: -1 },
    "mc config host add m https://m.example minioadm «m1n1oSecret»",
  ),
  row(
    "cloud-secret",
    "azcopy azdata",
    { flags: "--password --sas" },
    "azdata login --password «azd4taPw»",
  ),
  row(
    "cloud-secret",
    "ngrok",
    { when: "authtoken", at: 0 },
    "ngrok authtoken «ngr0kTok»",
  ),
  row(
    "cloud-secret",
    "ngrok",
    { when: "add-authtoken", at: 0 },
    "ngrok config add-authtoken «ngr0kTok»",
  ),
  row("cloud-secret", "tailscale headscale netbird zerotier-cli", {
    flags: "--authkey --auth-key --setup-key",
  }, "tailscale up --authkey «tskeyX9y8»"),
  row(
    "cloud-secret",
    "cloudflared",
    { when: "service install", at: 0 },
    "sudo cloudflared service install «+80b»",
  ),
  row("cloud-secret", "oc", {
    flags: "-p --password --token",
    when: "login",
    miss: ["oc login -u me"],
  }, "oc login -u me -p «0cPw1xx» https://api.example:6443"),
  // secret stores
  row("secret-store", "vault bao openbao", {
    when: "kv put",
    pairs: true,
    stdin: true,
  }, "vault kv put secret/db password=«v4ultPw» conn=«s0meV4lue»"),
  row(
    "secret-store",
    "vault bao openbao",
    { when: "kv patch", pairs: true },
    "vault kv patch secret/db password=«v4ultPw»",
  ),
  row(
    "secret-store",
    "vault bao openbao",
    {
      when: "write",
      pairs: true,
      named: true,
      miss: [
        "vault write auth/approle/role/x token_ttl=20m token_policies=default",
      ],
    },
    "vault write auth/userpass/login/me password=«v4ultPw»",
    "vault write auth/approle/login role_id=r secret_id=«+8h-+4h-+4h-+4h-+12h»",
  ),
  row("secret-store", "vault bao openbao", {
    when: "login",
    at: -1,
    stdin: true,
    miss: [
      "vault login -method=oidc",
      "vault login -method=userpass username=me",
    ],
  }, "vault login -no-print «v4ultTok»"),
  row(
    "secret-store",
    "vault bao openbao",
    { when: "unseal", at: 0 },
    "vault operator unseal «+44b»",
  ),
  row(
    "secret-store",
    "consul nomad",
    { flags: "-token --token" },
    "consul kv get -token «c0nsulTok» a/b",
  ),
  row(
    "secret-store",
    "gh",
    {
      when: "secret set",
      flags: "-b --body",
      stdin: true,
      miss: [
        "gh secret list",
        'gh secret set NPM_TOKEN --body "YOUR_NPM_TOKEN_HERE"',
        "gh pr create -b body",
      ],
    },
    'gh secret set DEPLOY_KEY --body "«+30»"',
    "gh secret set X -b«s0meV4lue»".replace("-b«", "-b «"),
    "echo «gh5ecret» | gh secret set X",
  ),
  row("secret-store", "glab", {
    when: "variable set",
    flags: "-v --value",
    at: 1,
    named: true,
  }, "glab variable set DEPLOY_TOKEN «gl4bTok1»"),
  row(
    "secret-store",
    "kubectl oc k kubecolor microk8s minikube",
    {
      when: "create secret",
      flags: "--from-literal",
      part: "equals",
      miss: [
        "kubectl create secret generic db --from-file=password=./pw.txt",
        "kubectl create secret tls web --cert=tls.crt --key=tls.key",
      ],
    },
    "kubectl create secret generic db --from-literal=conn=«pw12345» --from-literal=user=app",
  ),
  row(
    "secret-store",
    "kubectl oc k kubecolor",
    { when: "create secret", flags: "--docker-password" },
    "kubectl create secret docker-registry r --docker-username=me --docker-password=«r3gPw1»",
  ),
  row("secret-store", "fly flyctl", {
    when: "secrets",
    pairs: true,
    stdin: true,
  }, "fly secrets set SMTP=«sm7pV4lue» MODE=«m0de-x»"),
  row(
    "secret-store",
    "supabase doppler render railway koyeb northflank zeabur scalingo dokku cf eb heroku wrangler vercel netlify eas infisical encore",
    { when: "secrets set", pairs: true, stdin: true },
    "supabase secrets set STRIPE=«sup4S3t»",
  ),
  row("secret-store", "heroku dokku", {
    when: "config:set",
    pairs: true,
    named: true,
  }, "heroku config:set SMTP_PASS=«h3rokuPw» -a x"),
  row(
    "secret-store",
    "netlify",
    { when: "env:set", at: 1, named: true },
    "netlify env:set API_TOKEN «n3tlifyTok»",
  ),
  row(
    "secret-store",
    "wrangler",
    { when: "secret put", stdin: true },
    "echo '«wr4nglerS»' | npx wrangler secret put API_KEY",
  ),
  row(
    "secret-store",
    "vercel",
    { when: "env add", stdin: true },
    "printf '«v3rcelS»' | vercel env add API_KEY production",
  ),
  row(
    "secret-store",
    "docker podman",
    { when: "secret create", stdin: true },
    "echo '«d0ckerS»' | docker secret create db_pw -",
  ),
  row("secret-store", "pulumi", {
    when: "config set",
    needs: /^--secret$/,
    at: 1,
    miss: ["pulumi config set aws:region eu-west-1"],
  }, "pulumi config set --secret dbPassword «pulum1S»"),
  row("secret-store", "firebase", {
    when: "functions:secrets:set",
    stdin: true,
  }, "echo '«f1reS»' | firebase functions:secrets:set KEY"),
  row("secret-store", "op", {
    when: "item",
    pairs: true,
    miss: ["op item get db --fields password"],
    named: true,
  }, "op item create --category login password=«0pPassw»"),
  row(
    "secret-store",
    "bw",
    { when: "unlock", at: 0 },
    "bw unlock «bwM4ster» --raw",
  ),
  row(
    "secret-store",
    "bw",
    { when: "login", at: 1 },
    "bw login me@example.com «bwM4ster»",
  ),
  row(
    "secret-store",
    "pass gopass",
    { when: "insert", stdin: true },
    "echo '«p4ssS»' | pass insert -e db/prod",
  ),
  row("secret-store", "secret-tool keyring", {
    stdin: true,
    miss: ["secret-tool lookup service x"],
  }, "echo -n '«keyr1ngS»' | secret-tool store --label=x service y"),
  row(
    "secret-store",
    "security",
    { when: "add-generic-password", flags: "-w" },
    "security add-generic-password -a me -s svc -w «m4cS3cret»",
  ),
  row("secret-store", "security", {
    when: "add-internet-password",
    flags: "-w",
  }, "security add-internet-password -a me -s svc -w «m4cS3cret»"),
  row(
    "secret-store",
    "security",
    { when: "unlock-keychain", flags: "-p" },
    "security unlock-keychain -p «m4cPw1x» login.keychain",
  ),
  row(
    "secret-store",
    "security",
    { when: "create-keychain", flags: "-p" },
    "security create-keychain -p «m4cPw1x» build.keychain",
  ),
  row(
    "secret-store",
    "security",
    { when: "import", flags: "-P" },
    "security import cert.p12 -P «p12Pw1x»",
  ),
  row("secret-store", "llm", {
    when: "keys set",
    stdin: true,
    flags: "--value",
  }, "llm keys set openai --value «llmK3y»"),
  row(
    "secret-store",
    "chamber",
    { when: "write", at: 2 },
    "chamber write svc db_pass «ch4mberS»",
  ),
  row(
    "secret-store",
    "credstash",
    { when: "put", at: 1 },
    "credstash put db.pass «cr3dst4sh»",
  ),
  row("secret-store", "keepassxc-cli systemd-creds kubeseal ansible-vault", {
    stdin: true,
    miss: ["ansible-vault view group_vars/all.yml"],
  }, "echo -n '«kdbxPw1»' | keepassxc-cli show db.kdbx entry"),
  row("secret-store", "ansible-vault", {
    when: "encrypt_string",
    at: 0,
    miss: ["ansible-vault encrypt_string --stdin-name x"],
  }, "ansible-vault encrypt_string '«4nsV4lue»' --name db_pass"),
  row("secret-store", "setx", {
    at: 1,
    named: true,
    miss: ["setx JAVA_HOME C:\\\\jdk"],
  }, "setx DB_PASSWORD «w1nPw99»"),
  // remote
  row(
    "remote-password",
    "sshpass",
    {
      flags: "-p",
      glued: "-p",
      miss: ["ssh -p 2222 user@host uptime", "sshpass -f pw.txt ssh h"],
    },
    "sshpass -p '«R00t!pw»' ssh root@10.0.0.5 uptime",
    "sshpass -p«R00tpw1» ssh h",
  ),
  row(
    "remote-password",
    "ldapsearch ldapmodify ldapadd ldapdelete ldapwhoami ldappasswd ldapcompare",
    {
      flags: "-w -s -a",
      miss: ["ldapsearch -x -H ldap://dc -b dc=acme -s sub uid=bob"],
    },
    "ldapsearch -x -H ldap://dc -D cn=admin,dc=acme -w '«Direct0ry»' -b dc=acme uid=bob",
  ),
  row(
    "remote-password",
    "smbclient rpcclient smbget net winexe nmblookup smbcacls",
    { flags: "-U --user --username", part: "percent" },
    "smbclient //srv/share -U bob%«smbPw99» -c ls",
  ),
  row(
    "remote-password",
    "smbmap nxc netexec crackmapexec cme evil-winrm hydra medusa xfreerdp rdesktop impacket-psexec winrs psexec psexec64 paexec schtasks wmic sc remmina mstsc",
    {
      flags: "-p --password /p -password /rp -pw -P",
      glued: "/p: -p: /rp: -p:",
      miss: ["nxc smb 10.0.0.1 -p pw.txt"],
    },
    "evil-winrm -i 10.0.0.1 -u admin -p '«W1nRm!pw»'",
    "xfreerdp /v:host /u:me /p:«rdpPw1x»",
  ),
  row(
    "remote-password",
    "plink pscp psftp kitty",
    { flags: "-pw" },
    "plink -ssh -pw «plinkPw1» me@host ls",
  ),
  row("remote-password", "net", {
    when: "user",
    at: 1,
    miss: ["net user bob /delete", "net user bob"],
  }, "net user bob «P@ss12x» /add"),
  row("remote-password", "net", {
    when: "use",
    at: -1,
    needs: /^\/user/i,
    miss: ["net use Z: \\\\\\\\srv\\\\share"],
  }, "net use \\\\srv\\share «P@ss12x» /user:me"),
  row(
    "database-password",
    "mysqladmin mariadb-admin",
    { when: "password", at: 0 },
    "mysqladmin -u root password '«newR00t»'",
  ),
  row(
    "secret-store",
    "dotnet",
    { when: "user-secrets set", at: 1 },
    'dotnet user-secrets set "Db:Password" "«d0tnetPw»"',
  ),
  row(
    "remote-password",
    "cmdkey runas",
    { glued: "/pass:" },
    "cmdkey /add:srv /user:me /pass:«cmdk3yPw»",
  ),
  row(
    "remote-password",
    "lftp",
    { flags: "-u --user", part: "comma" },
    "lftp -u me,«lftpPw1» ftp.example.com",
  ),
  row(
    "remote-password",
    "ncftpput ncftpget ncftp ncftpls",
    { flags: "-p" },
    "ncftpput -u me -p «nc6tpPw» host / f",
  ),
  row(
    "remote-password",
    "ipmitool",
    { flags: "-P" },
    "ipmitool -H bmc -U root -P «c4lvinX» power status",
  ),
  row("remote-password", "snmpwalk snmpget snmpset snmpbulkwalk", {
    flags: "-c -A -X",
    miss: ["snmpwalk -v2c -c public host"],
  }, "snmpwalk -v2c -c «c0mmun1ty» host"),
  row(
    "remote-password",
    "nmcli",
    { when: "password", at: 0 },
    "nmcli dev wifi connect Home password «w1fiPw99»",
  ),
  row(
    "remote-password",
    "wpa_passphrase",
    { at: 1 },
    "wpa_passphrase Home «w1fiPw99»",
  ),
  row("remote-password", "vncviewer x11vnc vncserver", {
    flags: "-passwd -password",
  }, "x11vnc -passwd «vncPw12»"),
  row(
    "remote-password",
    "tabcmd tableau",
    { flags: "-p --password" },
    "tabcmd login -s https://x -u me -p «t4bPw1x»",
  ),
  row("remote-password", "mount mount.cifs mount_smbfs", {
    flags: "-o",
    part: "equals",
    needs: /passw?o?r?d?=/,
    miss: ["mount -o ro /dev/sda1 /mnt"],
  }, "mount -t cifs //srv/s /mnt -o user=me,password=«c1fsPw1»"),
  row("remote-password", "evilwinrm bitcoin-cli bitcoind litecoin-cli", {
    flags: "-rpcpassword",
  }, "bitcoin-cli -rpcuser=a -rpcpassword=«rpcPw12» getinfo"),
  // archives
  row("archive-password", "zip unzip zipcloak zipinfo bsdtar", {
    flags: "-P --password --passphrase",
    glued: "-P",
    miss: ["rsync -avP dist/ /srv/"],
  }, "zip -P «zipLock88» -r out.zip secrets/"),
  row("archive-password", "7z 7za 7zr 7zz rar unrar", {
    glued: "-p -hp",
    miss: ["7z x a.7z -p"],
  }, "7z a -p«s3venZ» -mhe=on a.7z d"),
  row("archive-password", "qpdf pdftk pdftotext gs", {
    flags: "--password -upw -opw user_pw owner_pw input_pw",
  }, "pdftk a.pdf output b.pdf user_pw «pdfPw12»"),
  row("archive-password", "mkpasswd argon2 bcrypt", {
    at: -1,
    miss: ["mkpasswd -m sha-512"],
  }, "mkpasswd -m sha-512 «mkPw123»"),
  // keys
  row("key-passphrase", "openssl", {
    flags: "-passin -passout -pass -password -passwd",
    part: "pass",
    miss: [
      "openssl rand -hex 32",
      "openssl enc -aes-256-cbc -pass file:pw.txt -in a",
    ],
  }, "openssl rsa -in k.pem -passin pass:«opensesame» -out o.pem"),
  row("key-passphrase", "openssl", {
    flags: "-k -K -iv -hmac",
    miss: ["openssl pkcs12 -export -inkey k.pem -in c.pem"],
  }, "openssl enc -aes-256-cbc -k «3ncPw12» -in a"),
  row(
    "key-passphrase",
    "openssl",
    { when: "passwd", at: -1 },
    "openssl passwd -6 «0penPw1»",
  ),
  row("key-passphrase", "gpg gpg2 duplicity", {
    flags: "--passphrase --new-passphrase",
  }, 'gpg --batch --passphrase "«my gpg phrase»" -d f.gpg'),
  row("key-passphrase", "ssh-keygen", {
    flags: "-N -P",
    miss: [
      'ssh-keygen -t ed25519 -N "" -f k',
      "ssh -i ~/.ssh/id_ed25519 ubuntu@10.0.0.1 ls",
    ],
  }, 'ssh-keygen -t ed25519 -f k -N "«keyphrase1»"'),
  row(
    "key-passphrase",
    "keytool jarsigner apksigner bundletool",
    {
      flags:
        "-storepass -keypass -srcstorepass -deststorepass -destkeypass -srckeypass -new",
      miss: ["keytool -list -keystore k.jks"],
    },
    "keytool -genkey -keystore k.jks -storepass «ch4ngeit9» -keypass «k3ypw99»",
  ),
  row("key-passphrase", "apksigner bundletool", {
    flags: "--ks-pass --key-pass",
    part: "pass",
  }, "apksigner sign --ks k.jks --ks-pass pass:«4pkPw12» a.apk"),
  row("key-passphrase", "signtool osslsigncode certutil", {
    flags: "/p -p -pass",
    miss: ["certutil -hashfile f SHA256"],
  }, "signtool sign /f c.pfx /p «s1gnPw1» a.exe"),
  row("key-passphrase", "wg", {
    when: "private-key",
    at: 0,
    miss: ["wg set wg0 private-key /etc/wg.key"],
  }, "wg set wg0 private-key «+43b=»"),
  row("key-passphrase", "cryptsetup veracrypt fscrypt zfs borg restic", {
    flags: "-p --password",
    stdin: true,
    miss: ["restic -r /srv/r snapshots"],
  }, "echo -n '«luksPw12»' | cryptsetup open /dev/sdb1 c -"),
  row("key-passphrase", "cast forge geth solana starkli anchor", {
    flags: "--private-key --mnemonic --password",
  }, "cast send --private-key 0x«+64h» 0xabc".replace("0x«", "«0x")),
  // accounts
  row(
    "account-password",
    "chpasswd",
    { stdin: true, part: "colon" },
    "echo 'deploy:«Un1x-Login»' | sudo chpasswd",
  ),
  row("account-password", "useradd usermod adduser", {
    flags: "-p --password",
    miss: ["useradd -m -s /bin/bash bob"],
  }, "useradd -m -p «us3rPw1» bob"),
  row("account-password", "passwd smbpasswd vncpasswd kinit su", {
    stdin: true,
  }, "echo '«n3wPw12»' | passwd --stdin bob"),
  row("account-password", "sudo", {
    stdin: true,
    needs: /^-[A-Za-z]{0,4}S$|^--stdin$/,
    miss: ["echo hello | sudo tee /etc/x"],
  }, "echo '«sud0Pw1»' | sudo -S apt update"),
  row("account-password", "grafana-cli grafana", {
    when: "reset-admin-password",
    at: 0,
  }, "grafana-cli admin reset-admin-password «gr4fPw1»"),
  row("account-password", "wp", {
    flags: "--user_pass --dbpass --admin_password --prompt",
  }, "wp user create bob b@example.com --user_pass=«wpPw123»"),
  row(
    "account-password",
    "drush",
    { flags: "--account-pass --db-url" },
    "drush si --account-pass=«drush1x»",
  ),
  row(
    "account-password",
    "dscl",
    { when: "-passwd", at: -1 },
    "dscl . -passwd /Users/bob «m4cPw99»",
  ),
  row(
    "account-password",
    "elasticsearch-users",
    { flags: "-p" },
    "elasticsearch-users useradd bob -p «3lasticPw» -r superuser",
  ),
  row(
    "account-password",
    "createuser",
    { flags: "--pwprompt-value" },
    "createuser --pwprompt-value «x9y8z7w» bob",
  ),
  // tools
  row("tool-token", "snyk", { when: "auth", at: 0 }, "snyk auth «snykT0k»"),
  row("tool-token", "wandb", { when: "login", at: 0 }, "wandb login «+40h»"),
  row(
    "tool-token",
    "codecov codecovcli coveralls",
    { flags: "-t --token" },
    "codecov -t «c0decovT» -f cov.xml",
  ),
  row("tool-token", "sonar-scanner mvn gradle gradlew", {
    glued: "-Dsonar.login= -Dsonar.token= -Dsonar.password=",
  }, "sonar-scanner -Dsonar.login=«s0narTok»"),
  row(
    "tool-token",
    "circleci",
    { when: "setup", flags: "--token" },
    "circleci setup --token «c1rcleT0k»",
  ),
  row("tool-token", "databricks", {
    flags: "--token",
    stdin: true,
    when: "configure",
  }, "databricks configure --token <<< «d4tabrick»"),
  row(
    "tool-token",
    "aider",
    { flags: "--api-key", part: "equals" },
    "aider --api-key deepseek=«d33pS33k9»",
  ),
  row(
    "tool-token",
    "git",
    {
      when: "credential approve",
      stdin: true,
      part: "equals",
      miss: ["git log -p --follow src/token.ts"],
    },
    "printf 'protocol=https\\nhost=h\\npassword=«g1tCr3d»\\n' | git credential approve",
  ),
  row("tool-token", "codex claude gemini", {
    when: "login",
    stdin: true,
    miss: ['claude -p "summarise the auth token docs"'],
  }, "echo '«c0dexK3y»' | codex login --with-api-key"),
  row(
    "tool-token",
    "tea hub bb jira",
    { flags: "--token -t", when: "login" },
    "tea login add --url https://x -t «t34Tok99»",
  ),
  row("tool-token", "base64", {
    stdin: true,
    part: "colon",
    miss: ["echo -n hello | base64"],
  }, "echo -n 'admin:«b4sicPw»' | base64"),
];
