/**
 * Hosted platforms: forges, deployment services.
 *
 * @module
 */
import { judgeDeploy, judgeForge, judgePush } from "../judge/forge.ts";
import type { Rule } from "../rule.ts";

/** Platforms that deploy; shared by those whose bare command does. */
const DEPLOY: Rule = {
  id: "saas.deploy",
  title: "Platforms that deploy",
  programs: [
    "netlify",
    "ntl",
    "render",
    "neon",
    "netlify-cli",
    "wrangler",
    "@cloudflare/wrangler",
    "fly",
    "flyctl",
    "heroku",
    "railway",
    "@railway/cli",
    "firebase",
    "firebase-tools",
    "supabase",
    "amplify",
    "@aws-amplify/cli",
    "ampx",
    "eb",
    "sst",
    "serverless",
    "sls",
    "sam",
    "chalice",
    "zappa",
    "kamal",
    "dokku",
    "caprover",
    "gigalixir",
    "clever",
    "scalingo",
    "upsun",
    "deployctl",
    "eas",
    "eas-cli",
    "expo-cli",
    "fastlane",
    "appcenter",
    "sentry-cli",
    "stripe",
    "convex",
    "neonctl",
    "pscale",
    "turso",
    "cloudflared",
    "shopify",
    "hasura",
    "encore",
    "northflank",
    "qovery",
    "zeabur",
    "coolify",
    "algolia",
    "auth0",
    "okta",
    "clerk",
    "ddev",
    "vapor",
    "envoyer",
    "datadog-ci",
    "newrelic",
    "honeycomb",
    "grafanactl",
    "planetscale",
    "liara",
    "edgio",
    "cloudsmith",
    "launchdarkly",
    "ldcli",
    "inngest-cli",
    "trigger.dev",
    "dapr",
  ],
  valued:
    "-a --app -c --config --cwd --scope -S --token -t -e --env --environment --stage -s --site --project -P --profile --region -r --remote --project-ref --account-id -O --org --dir",
  bare: "neutral",
  judge: judgeDeploy,
  wraps: [
    "vercel",
    "netlify",
    "cloudflare",
    "wrangler",
    "fly",
    "heroku",
    "railway",
    "render",
    "firebase",
    "supabase",
    "stripe",
    "sentry",
    "planetscale",
  ],
  neutral:
    "dev, develop, build, login, logout, whoami #credcheck, auth:whoami #credcheck, auth, init, help, version, link, unlink, types, local, start, serve, " +
    "emulators:*, emulators, experiments:*, switch, teams, telemetry, completion, autocomplete, plugins, docs, upgrade, update, open, dashboard, " +
    "projects:list --help, config validate, doctor, functions:serve, functions serve, functions new, dev:*, " +
    "db diff, db lint, db start, migration new, gen, stop, test, validate, package, print, plugin, create-cloudflare, " +
    "local invoke, local start-api, invoke local, sync --help, setup, use, prebuild, config:*:help, check, generate, " +
    "pages dev, pages functions build, d1 execute --local, d1 migrations apply --local, d1 migrations create, d1 migrations list --local, kv key list --local, kv key get --local, kv key put --local, " +
    "kv key delete --local, r2 object get --local, r2 object put --local, lint, scaffold, codegen, listen, samples, trigger --help, console --help, tunnel --url, " +
    "access, service --help, cert, info --help, wasm, agent, proxy, context, scripts, metadata, run-android, run-ios, theme dev, app dev, app build, theme check, " +
    "db start, db reset --local, status --help, db push --dry-run, dev-server, ngrok, describe --help, function create --help, expo, import-meta",
  read:
    "ls, list, logs, log, tail, status, inspect, info, ps, releases, config, config:get, apps, apps:info, apps list, domains, domains ls, dns ls, certs ls, certs, env ls, env list, env:list, env:get, env pull, env get, " +
    "env:pull, secrets list, secret list, sites:list, sites list, functions:list, functions list, functions:log, projects list, projects:list, project list, project ls, hosting:sites:list, deployments, deployments list, " +
    "deployments view, deployment list, deploy list, versions list, versions view, versions, pages deployment list, pages project list, pages deployment tail, kv namespace list, kv key list, kv key get, kv:namespace list, kv:key list, kv:key get, " +
    "r2 bucket list, r2 object get, d1 list, d1 info, d1 migrations list, d1 time-travel info, queues list, vectorize list, vectorize query, hyperdrive list, hyperdrive get, " +
    "machine list, machine status, machines list, volumes list, volumes show, scale show, regions list, ips list, services list, checks list, releases list, image show, pg:info, pg:ps, pg:backups, pg:diagnose, " +
    "pg:locks, addons, addons:info, domains:*, drains, features, pipelines, buildpacks, access, apps:list, variables, environment:list, whoami --json, " +
    "db dump, migration list, inspect db, branches list, remote list, show, list-*, get, get *, describe, diff, stack list, " +
    "build:list, build:view, submit:list, update:list, channel:list, secret:list, env:view, products list, products retrieve, customers list, customers retrieve, events list, charges list, " +
    "* list, * retrieve, * ls, tunnel list, tunnel info, events, metrics, health, database list, branch list, branch show, db list, db show, org list, theme list, app info, " +
    "blobs:list, blobs:get, api listSites, firestore:indexes, database:get, auth:export, functions:config:get, remoteconfig:get, appdistribution:testers:list, " +
    "app logs, app details, traces, telemetry:logs, audit, activity, history, version list, monitor, function list, wait",
  write:
    "deploy, --prod, * deploy, up, launch, publish, scale, secrets set, secrets unset, secret put, secret delete, env add, env rm, env:set, env:unset, env:import, env push, destroy, delete, remove, rollback, " +
    "redeploy, promote, alias, run, config:set, config:unset, ps:scale, ps:restart, restart, d1 execute, d1 migrations apply, kv key put, kv key delete, r2 object put, r2 object delete, " +
    "pg:reset, pg:push, db push, db reset, db execute, migration up, migration repair, functions deploy, functions delete, hosting:disable, tunnel create, tunnel run, tunnel route, submit, trigger, " +
    "* add, * rm, * remove, * delete, * create, * update, * set, * unset, * put, * purge, * rotate, * restart, * destroy, * import, * buy, * issue, " +
    "* * create, * * delete, * * put, * * update, build --auto-submit, domains:add, domains:remove, certs:add, addons:create, addons:destroy, " +
    "sync, releases new, releases finalize, sourcemaps upload, apply",
  other: "write",
  idle: "-h --dry-run --local --dry --simulate --noop --preview-only",
  examples: {
    write: [
      "npx wrangler deploy",
      "npx wrangler secret put API_KEY",
      'wrangler d1 execute db --remote --command "delete from x"',
      "flyctl deploy --remote-only --config fly.prod.toml",
      "fly secrets set A=b",
      "netlify deploy --prod --dir dist",
      "heroku config:set A=b -a app",
      "heroku ps:scale web=2 -a app",
      "firebase deploy --only hosting",
      "supabase db push",
      "railway up",
      "serverless deploy --stage prod",
      "sam deploy --guided",
      "kamal deploy",
      "eas submit -p ios",
      "npx -y @railway/cli@latest up",
    ],
    read: [
      "npx wrangler tail edge --format json | head -c 4000",
      "fly status -a app",
      "heroku logs --tail -a app",
      "heroku config -a app",
      "netlify sites:list",
      "wrangler kv key get k --namespace-id n",
      "railway logs",
      'wrangler d1 execute db --remote --command "SELECT 1"',
      "heroku pg:psql -a app -c 'select 1'",
      "firebase projects:list",
    ],
    neutral: [
      "npx wrangler dev --local --port 8787",
      "wrangler deploy --dry-run --outdir dist",
      "wrangler types",
      "netlify dev",
      "firebase emulators:start",
      "supabase start",
      "heroku login",
      "wrangler whoami",
      "npx wrangler --version",
      "sls package",
    ],
  },
};

/** The rules. */
export const SAAS_RULES: readonly Rule[] = [
  {
    id: "saas.gh",
    title: "GitHub's and GitLab's command lines",
    programs: ["gh", "hub", "glab", "tea"],
    valued:
      "-R --repo --hostname -X --method -H --header -f -F --field --raw-field --input --jq -q -t --template --cache -p --preview",
    wraps: ["github", "gitlab", "gh"],
    neutral:
      "auth #credcheck, help, version, config, alias, extension, completion, search, browse, status, co, preview, " +
      "pr, issue, mr, label #forge-write, milestone #forge-write, gist #forge-write, project #forge-write, discussion #forge-write, " +
      "repo view, repo list, repo clone, repo set-default, repo fork #forge-write, repo sync, org, ruleset, attestation, licenses, " +
      "run view, run list, run watch, run download, workflow list, workflow view, ci status, ci view, ci list, ci lint, ci trace, " +
      "pipeline status, pipeline list, pipeline view, job view, snippet #forge-write, user, check-update, agent-task, skill, copilot, " +
      "todo, incident view, changelog, duo, repo contributors, repo search, ci-status, compare, pull-request #forge-write, fork #forge-write",
    read:
      "secret list, variable list, variable get, release list, release view, release download, cache list, codespace list, codespace view, codespace logs, " +
      "cs list, ssh-key list, gpg-key list, repo deploy-key list, environment list, schedule list, deploy-key list, token list, runner list, " +
      "repo autolink list, variable export, securefile list",
    other: "write",
    judge: judgeForge,
    examples: {
      write: [
        "gh api -X POST repos/o/r/dispatches",
        "gh workflow run deploy.yml",
        "gh secret set NPM_TOKEN --repo o/r < /tmp/t",
        "gh release create v1 --notes x",
        "gh run rerun 123",
        "gh run cancel 123",
        "gh variable set A --body b",
        "gh repo delete o/r --yes",
        "gh api --method PUT repos/o/r/environments/prod",
        "gh api -X DELETE repos/o/r/actions/runs/1",
        "gh api repos/o/r/actions/workflows/ci.yml/dispatches -f ref=main",
        "gh api graphql -f query='mutation { createDeployment(input: {}) { x } }'",
        "glab variable set A b",
      ],
      read: [
        "gh api repos/o/r/deployments --paginate",
        "gh api repos/o/r/actions/secrets",
        "gh secret list",
        "gh release view v1",
        "gh api repos/o/r/releases/latest --jq .tag_name",
      ],
      neutral: [
        "gh pr view 12",
        "gh pr create --title x --body y",
        "gh pr merge 12 --squash",
        "gh issue comment 3 -b x",
        "gh run view 1 --log-failed | tail -80",
        "gh run list --limit 3",
        "gh api repos/o/r/pulls/1/comments",
        "gh api repos/o/r/contents/package.json --jq .content | base64 -d",
        'gh api graphql -f query=\'{ repository(owner: "o", name: "r") { id } }\'',
        'gh api repos/o/r/pulls/1/comments/2/replies -f body="Fixed."',
        "gh api graphql -f query='mutation { resolveReviewThread(input: {threadId: \"x\"}) { thread { id } } }'",
        "gh auth status",
        "gh repo view --json nameWithOwner",
        "gh --version",
        "gh release create --help",
      ],
    },
  },
  {
    id: "saas.deploy.git",
    category: "saas.deploy",
    title: "Deployment by git push",
    programs: ["git"],
    judge: judgePush,
    wraps: ["heroku", "dokku"],
    examples: {
      write: ["git push heroku main", "git push dokku@host.example:app main"],
      neutral: ["git push origin main", "git push -u origin HEAD"],
    },
  },
  {
    ...DEPLOY,
    id: "saas.deploy.local",
    category: "saas.deploy",
    title: "Platforms that run here unless told otherwise",
    programs: ["supabase"],
    read: "status --linked",
    write:
      "db reset --linked, db reset --db-url, migration up --linked, migration up --db-url",
    neutral: "status, db reset, migration up, seed",
    other: undefined,
    judge: undefined,
    examples: {
      write: ["supabase db reset --linked"],
      neutral: ["npx supabase start && npx supabase status"],
    },
  },
  DEPLOY,
  {
    ...DEPLOY,
    id: "saas.deploy.bare",
    category: "saas.deploy",
    title: "Platforms whose bare command deploys",
    programs: ["vercel", "vc", "now", "surge", "gh-pages"],
    bare: "write",
    examples: {
      write: [
        "vercel",
        "vercel --prod",
        "vercel deploy --prod",
        "vercel env add DATABASE_URL production < .db_url && vercel --prod --yes",
        "npx gh-pages -d dist",
      ],
      read: ["vercel ls", "vercel logs https://x.vercel.app", "vercel env ls"],
      neutral: [
        "vercel dev",
        "vercel build",
        "vercel --version",
        "vercel link",
      ],
    },
  },
];
