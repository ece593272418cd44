/**
 * Where programs take secrets: clouds and secret stores, swamp first. Data: a row documents and tests itself.
 *
 * @module
 */
import { type ArgvRule, row } from "./argv-row.ts";

/** The rows. */
export const CLOUD_RULES: readonly ArgvRule[] = [
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
  // clouds
  row(
    "cloud-secret",
    "az",
    {
      flags:
        "-p --password --client-secret --account-key --sas-token --admin-password --connection-string --certificate-password --secret --docker-registry-server-password",
      unless:
        /^(?:pipelines|repos|boards|devops|artifacts|acr|webapp|aks|network|appservice|functionapp)$/,
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
    { when: "devops login", stdin: true },
    "az devops login --organization https://dev.azure.com/o <<< «+52l»",
  ),
  row(
    "key-passphrase",
    "gsutil",
    { when: "signurl", flags: "-p" },
    "gsutil signurl -p «n0tas3cret» key.p12 gs://b/o",
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
  row("cloud-secret", "mc", {
    when: "admin user add",
    at: 2,
    miss: ["mc admin user add m $NAME $SECRET"],
  }, "mc admin user add m bob «m1n1oUsr»"),
  row(
    "cloud-secret",
    "rclone",
    { when: "obscure", at: 0, miss: ["rclone obscure -"] },
    "rclone obscure «rcl0neP9»",
  ),
  ...["authorize-account", "account authorize"].map((when) =>
    row(
      "cloud-secret",
      "b2",
      { when, at: 1, miss: [`b2 ${when} $ID $KEY`] },
      `b2 ${when} 0012ab34cd56 «K00+28»`,
    )
  ),
  row(
    "cloud-secret",
    "upstash mix",
    { flags: "--key --api-key", miss: ["mix phx.gen.secret 64"] },
    "upstash auth login --email a@b.example --key «+8h-+4h-+4h-+4h-+12h»",
  ),
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
  row(
    "secret-store",
    "kubectl oc k",
    {
      when: "create secret",
      stdin: true,
      miss: [
        "cat key.pem | kubectl create secret generic x --from-file=k=/dev/stdin",
      ],
    },
    "echo '«kubeP1pe»' | kubectl create secret generic x --from-file=k=/dev/stdin",
  ),
  row(
    "secret-store",
    "netlify surge",
    { flags: "--auth --token" },
    "netlify deploy --auth «n3tlifyA» --prod",
  ),
  row("secret-store", "copilot", {
    when: "secret init",
    flags: "--values",
    part: "equals",
  }, "copilot secret init --name x --values test=«c0pilotV»"),
  row("secret-store", "glab", {
    when: "variable set",
    flags: "-v --value",
    at: 1,
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
  }, "fly secrets set SMTP=«sm7pV4lue» OTHER=«0th3r-x»"),
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
  row(
    "secret-store",
    "security",
    { when: "set-key-partition-list", flags: "-k" },
    "security set-key-partition-list -S apple: -s -k «m4cPw1x» build.keychain",
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
    unless: /^--stdin-name/,
    miss: ["ansible-vault encrypt_string --stdin-name db_password < pw.txt"],
  }, "ansible-vault encrypt_string '«4nsV4lue»' --name db_pass"),
  row("secret-store", "setx", {
    at: 1,
    named: true,
    miss: ["setx JAVA_HOME C:\\\\jdk"],
  }, "setx DB_PASSWORD «w1nPw99»"),
];
