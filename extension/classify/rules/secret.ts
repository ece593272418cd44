/**
 * Secrets: managers' command lines, and files that hold them.
 *
 * @module
 */
import { judgeSecretFile } from "../judge/files.ts";
import { judgeClusterSecret, judgeKeyring } from "../judge/secrets.ts";
import type { Rule } from "../rule.ts";

/** The rules. */
export const SECRET_RULES: readonly Rule[] = [
  {
    id: "secret.read.vault",
    category: "secret.read",
    title: "HashiCorp Vault and OpenBao",
    programs: ["vault", "bao"],
    valued:
      "-address -namespace -format -field -mount -ca-cert -tls-server-name -version -output-policy",
    sensitive: true,
    wraps: ["vault", "hashicorp", "openbao"],
    neutral:
      "status #probe, version, login, token lookup #credcheck, list, kv list, secrets list, auth list, policy list, policy fmt, path-help, help, auth help, print, server, agent, proxy, " +
      "audit list, namespace list, operator members, plugin list, token capabilities, debug, lease lookup, version-history, transit",
    read:
      "read, kv get, kv metadata get, unwrap, policy read, kv export, operator raft list-peers, operator diagnose, ssh, pki list-intermediates, pki health-check, token create --help, monitor, events subscribe, patch --help",
    write:
      "write, kv put, kv patch, kv delete, kv destroy, kv undelete, kv metadata put, kv metadata delete, kv enable-versioning, kv rollback, delete, patch, " +
      "policy write, policy delete, secrets enable, secrets disable, secrets move, secrets tune, auth enable, auth disable, auth tune, token create, token revoke, token renew, " +
      "lease revoke, lease renew, operator *, audit enable, audit disable, namespace create, namespace delete, plugin register",
    other: "write",
    idle: "-h -help",
    examples: {
      read: [
        "vault kv get secret/db",
        "vault kv get -format=json secret/data/p | jq -r .data.data.key",
        "vault read -field=value secret/x",
        "TOKEN=$(vault kv get -field=token secret/ci)",
      ],
      write: [
        "vault kv put secret/db password=x",
        "vault kv patch secret/p w=@/tmp/w.txt",
        "vault policy write p p.hcl",
        "vault delete secret/x",
      ],
      neutral: [
        "vault status",
        "vault kv list secret/",
        "vault token lookup",
        "vault login -method=oidc",
        "vault --version",
      ],
    },
  },
  {
    id: "secret.read.op",
    category: "secret.read",
    title: "1Password, Bitwarden and other password managers",
    programs: [
      "op",
      "bw",
      "bws",
      "lpass",
      "pass",
      "gopass",
      "passage",
      "keepassxc-cli",
      "dcli",
      "rbw",
      "nordpass",
      "proton-pass",
      "pass-cli",
      "protonpass",
    ],
    valued: "--account --vault --session --config --format --cache -c",
    sensitive: true,
    wraps: ["1password", "onepassword", "op", "bitwarden", "lastpass"],
    neutral:
      "whoami #credcheck, signin, signout, login, logout, lock, unlock, sync, status #credcheck, config, account, user get --me #credcheck, vault list, item list, item template, list, ls, " +
      "list items, list folders, list collections, help, completion, update, version, search, find, grep, git, init, serve, plugin, generate, pwgen, user list, group list, document list, project list, run --help, estimate, diceware, events-api",
    read:
      "read, inject, item get, document get, get, secret get, secret list, show, clip, export, connect token list, service-account ratelimit, vault get, get item, get password, get totp, cat, otp, cp --help, db-export",
    write:
      "item create, item edit, item delete, item move, item share, document create, document edit, document delete, create, edit, delete, restore, move, share, import, secret create, secret edit, secret delete, " +
      "insert, add, rm, mv, cp, connect *, service-account create, vault create, vault delete, vault edit, vault grant, vault user grant, vault group grant, attach, set, db-edit, remove, mkdir, rmdir, recipients, user provision",
    other: "read",
    bare: "neutral",
    idle: "-h",
    examples: {
      read: [
        "op read op://v/i/f",
        "op item get x --fields password",
        "bw get password x",
        "pass show a/b",
        "pass a/b",
        "bws secret get i",
        "op inject -i t.env -o .env",
      ],
      write: [
        "op item create --category login title=x",
        "op item edit x password=y",
        "pass insert a/b",
        "bw delete item i",
      ],
      neutral: [
        "op whoami",
        "op item list",
        "op signin",
        "bw status",
        "op vault list",
        "bw list items",
        "op --version",
      ],
      swamp: [
        "op read op://v/i/f | swamp vault put prod K",
        "op read op://v/i/f | tr -d '\\n' | swamp vault put prod K",
      ],
    },
  },
  {
    id: "secret.read.manager",
    category: "secret.read",
    title: "Secret managers",
    programs: [
      "doppler",
      "infisical",
      "chamber",
      "akeyless",
      "conjur",
      "credstash",
      "berglas",
      "envkey-source",
      "phase",
      "dotenv-vault",
      "teller",
      "keeper",
      "ksm",
      "biscuit",
      "unicreds",
      "secrethub",
      "strongbox",
      "summon",
      "gcm",
      "locksmith",
      "akv2k8s",
      "ejson",
      "shush",
    ],
    valued:
      "-p --project -c --config -e --env --path --token --domain -b --backend --workspace --projectId",
    sensitive: true,
    wraps: ["doppler", "infisical", "conjur", "akeyless"],
    neutral:
      "login, logout, setup, init, whoami #credcheck, me #credcheck, configure, help, version, update, open, scan, user, projects, environments, configs, list, list-services, list-secrets, " +
      "run, exec, activity, completion, reset, vault, policy list, resource list, list-items, keygen",
    read:
      "secrets, secrets get, secrets download, secrets list --plain, get, get-secret-value, export, read, access, variable get, secret read, download, pull, env, sh, show, get-static-secret-value, secret get, secret notation, decrypt, secrets substitute",
    write:
      "secrets set, secrets delete, secrets upload, secrets folders create, write, delete, set, put, import, variable set, policy load, create, update, create-secret, update-secret-val, rotate, push, add, configs create, configs tokens create, encrypt --help, secret add",
    other: "read",
    idle: "-h",
    examples: {
      read: [
        "doppler secrets get A --plain",
        "infisical export",
        "chamber read svc key",
        "doppler secrets download --no-file",
      ],
      write: [
        "doppler secrets set A=b",
        "infisical secrets set A=b",
        "chamber write svc k v",
      ],
      neutral: ["doppler login", "chamber list svc", "infisical init"],
    },
  },
  {
    id: "secret.read.sops",
    category: "secret.read",
    title: "Encrypted files",
    programs: [
      "sops",
      "ansible-vault",
      "eyaml",
      "git-crypt",
      "blackbox_cat",
      "transcrypt",
      "agebox",
      "dotenvx",
    ],
    sensitive: true,
    wraps: ["sops"],
    neutral:
      "encrypt, updatekeys, rotate --help, create, encrypt_string, init, status, help, filestatus, publish, lock, keys, add-gpg-user, ls, -e, --encrypt, edit, rekey, run, ext, prebuild, precommit, gitignore",
    read:
      "decrypt, -d, --decrypt, view, unlock, get, export, exec-env, exec-file, *.yaml -d, * -d, -d *, --extract",
    bare: "neutral",
    idle: "-h -e --encrypt",
    examples: {
      read: [
        "sops -d secrets.yaml",
        "sops --decrypt --extract '[\"a\"]' s.yaml",
        "ansible-vault view g.yml",
        "sops decrypt s.yaml",
      ],
      neutral: [
        "sops -e -i s.yaml",
        "sops --version",
        "ansible-vault encrypt g.yml",
      ],
    },
  },
  {
    id: "secret.read.cloud",
    category: "secret.read",
    title: "Secrets of cloud providers",
    programs: ["aws", "gcloud", "az"],
    valued:
      "--profile --region --output --endpoint-url --query --project --account --format --subscription -o",
    sensitive: true,
    wraps: ["secretsmanager", "secret", "secrets", "keyvault", "ssm"],
    read:
      "secretsmanager get-secret-value, secretsmanager batch-get-secret-value, ssm get-parameter --with-decryption, ssm get-parameters --with-decryption, ssm get-parameters-by-path --with-decryption, " +
      "kms decrypt, configure get aws_secret_access_key, configure get aws_session_token, configure export-credentials, secrets versions access, " +
      "keyvault secret show, keyvault secret download, keyvault key download, keyvault secret backup",
    write:
      "secretsmanager put-secret-value, secretsmanager create-secret, secretsmanager update-secret, secretsmanager delete-secret, secretsmanager rotate-secret, secretsmanager restore-secret, " +
      "secrets create, secrets delete, secrets update, secrets versions add, secrets versions destroy, secrets versions disable, secrets versions enable, " +
      "keyvault secret set, keyvault secret delete, keyvault secret purge, keyvault secret recover, keyvault secret set-attributes, keyvault secret restore",
    idle: "-h --generate-cli-skeleton",
    examples: {
      read: [
        "aws secretsmanager get-secret-value --secret-id prod/db",
        "aws ssm get-parameter --name /a --with-decryption",
        "gcloud secrets versions access latest --secret s",
        "az keyvault secret show --vault-name v -n s",
      ],
      write: [
        "aws secretsmanager put-secret-value --secret-id s --secret-string x",
        "az keyvault secret set --vault-name v -n s --value x",
        "gcloud secrets versions add s --data-file=f",
      ],
    },
  },
  {
    id: "secret.read.kubectl",
    category: "secret.read",
    title: "Contents of Kubernetes secrets",
    programs: ["kubectl", "oc", "k", "kubecolor"],
    sensitive: true,
    judge: judgeClusterSecret,
    wraps: ["kubernetes", "k8s"],
    examples: {
      read: [
        "kubectl get secret db -o jsonpath='{.data.password}' | base64 -d",
        "kubectl -n x get secrets -o yaml",
        "kubectl get secret/db -ojson",
      ],
    },
  },
  {
    id: "secret.read.keyring",
    category: "secret.read",
    title: "Keyrings and credential helpers of the machine",
    programs: [
      "security",
      "secret-tool",
      "keyring",
      "git",
      "git-credential-*",
      "docker-credential-*",
      "cmdkey",
      "kwallet-query",
      "gpg",
      "gpg2",
      "age",
    ],
    sensitive: true,
    judge: judgeKeyring,
    examples: {
      read: [
        "security find-generic-password -s x -w",
        "secret-tool lookup a b",
        "keyring get a b",
        "echo url=https://x | git credential fill",
        "gpg -d secrets.gpg",
      ],
      neutral: ["security list-keychains", "gpg --verify x.sig", "git status"],
    },
  },
  {
    id: "secret.read.file",
    category: "secret.read",
    title: "Files that hold credentials, by their path",
    programs: ["*"],
    sensitive: true,
    judge: judgeSecretFile,
    examples: {
      read: [
        "cat .env",
        "cat ~/.aws/credentials",
        "grep API_KEY .env.production",
        "head -5 ~/.config/ngrok/ngrok.yml",
        "cat ~/.ssh/id_ed25519",
        "jq . ~/.docker/config.json",
        "cat /run/secrets/db",
      ],
      neutral: [
        "cat .env.example",
        "ls -la .env",
        "test -f .env && echo yes",
        "cp .env.example .env",
        "cut -d= -f1 .env",
        "grep -c KEY .env",
        "source .env",
        "export $(grep -v '^#' .env | xargs)",
        "cat ~/.ssh/id_ed25519.pub",
        "docker run --env-file .env app",
        "echo .env >> .gitignore",
      ],
    },
  },
];
