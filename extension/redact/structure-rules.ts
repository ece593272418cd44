/**
 * What is found by where it stands. Data: a row documents and tests itself.
 *
 * @module
 */
import type { Rule } from "./examples.ts";

/** What this pass finds. */
export const STRUCTURE_RULES: readonly Rule[] = [
  {
    id: "url-password",
    finds: "Passwords, and tokens in their place, before the `@` of a URL",
    examples: {
      hit: [
        "curl https://admin:«hunt3r2»@registry.example/v2/_catalog",
        "REDIS_URL=redis://:«r3d1sUrl»@cache:6379/0 node worker.js",
        "git clone https://«+40h»:x-oauth-basic@github.com/o/r.git",
        "java -jar a.jar jdbc:oracle:thin:scott/«t1gerOra»@h:1521:xe",
        "curl -x «user:»«pr0xyPw»@proxy.example:3128 https://example.com"
          .replace("«user:»", "user:"),
      ],
      miss: [
        "git clone ssh://git@github.com/o/r.git",
        'psql "postgres://${DB_USER}:${DB_PASSWORD}@${DB_HOST}:5432/app"',
        "curl http://localhost:8080/v1/models:predict@latest",
        "curl https://user:password@example.com/",
      ],
    },
  },
  {
    id: "authorization",
    finds:
      "What follows the scheme of an `Authorization` header, and `Bearer …`",
    examples: {
      hit: [
        "curl -H 'Authorization: Bearer «+40»' https://api.example",
        'wget --header="Authorization: Basic «+28b»" https://example.com',
        "requests.get(u, headers={'Authorization': 'Token «+40h»'})",
      ],
      miss: [
        'curl -H "Authorization: Bearer $TOKEN" https://api.example',
        'curl -H "Authorization: Bearer $(gcloud auth print-access-token)" https://x',
        'curl -H "Authorization: Bearer [REDACTED]" https://api.example',
      ],
    },
  },
  {
    id: "cookie",
    finds: "Values of session cookies and of other cookies that look random",
    examples: {
      hit: [
        "curl -H 'Cookie: _ga=GA1.2.3; connect.sid=«s%3A+32u.+43u»; theme=dark' https://app.example",
      ],
      miss: ["curl -c jar.txt -b jar.txt https://app.example/login"],
    },
  },
  {
    id: "webhook-url",
    finds: "The secret path of webhook and bot URLs, and of hook-like paths",
    examples: {
      hit: [
        "curl -X POST https://hooks.slack.com/services/«T+8U/B+10U/+24»",
        'curl "https://api.telegram.org/bot«+10d:AA+33u»/sendMessage?chat_id=1"',
        "curl -X POST https://api.example/hooks/deploy/«+40»/trigger",
      ],
      miss: [
        "curl https://discord.com/api/v10/channels/123456789012345678/messages",
        'curl -L "https://docs.google.com/document/d/«1+43u»/export"'.replace(
          /[«»]/g,
          "",
        ).replace("+43u", "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3gH5jK7mN9p"),
      ],
    },
  },
  {
    id: "signed-url",
    finds: "Signatures and keys in the query of a URL",
    examples: {
      hit: [
        'curl "https://b.s3.amazonaws.com/k?X-Amz-Expires=900&X-Amz-Signature=«+64h»"',
        'azcopy cp f "https://a.blob.core.windows.net/c?sv=2022-11-02&sig=«+43b%3D»"',
        'curl "https://api.trello.com/1/boards?key=«+32h»&limit=3"',
      ],
      miss: ['curl "https://example.com/?key=name&code=404"'],
    },
  },
  {
    id: "kubernetes-secret",
    finds: "Every value under `data` and `stringData` of a Kubernetes Secret",
    examples: {
      hit: [
        "kubectl apply -f - <<EOF\nkind: Secret\ndata:\n  config.json: «+24b»\nEOF",
      ],
      miss: [
        "kubectl apply -f - <<EOF\nkind: ConfigMap\ndata:\n  mode: cluster-wide\nEOF",
      ],
    },
  },
  {
    id: "sql-password",
    finds: "Passwords in `IDENTIFIED BY` and `WITH PASSWORD`",
    examples: {
      hit: [
        "mysql -e \"CREATE USER 'w'@'%' IDENTIFIED BY '«identBy.5»'\"",
        'psql "$URL" -c "ALTER ROLE app WITH PASSWORD \'«rotated-Pw1»\'"',
      ],
      miss: ["psql -c 'alter user app with password null'"],
    },
  },
  {
    id: "azure-secret",
    finds: "Client secrets of Azure applications",
    examples: { hit: ["./run «aB38Q~+34»"] },
  },
  {
    id: "terraform-token",
    finds: "Tokens of Terraform Cloud",
    examples: { hit: ["./run «+14.atlasv1.+67u»"] },
  },
  {
    id: "discord-token",
    finds: "Tokens of Discord bots",
    examples: { hit: ["./bot «M+23.+6.+30»"] },
  },
  {
    id: "pgpass",
    finds: "The last field of a line of `.pgpass`",
    examples: { hit: ['echo "db:5432:app:me:«pgPw1»" >> ~/.pgpass'] },
  },
  {
    id: "masked",
    finds: "Values that a CI log is told to mask",
    examples: { hit: ['echo "::add-mask::«+30»"'] },
  },
];
