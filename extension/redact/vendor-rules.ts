/**
 * Tokens that say by their first characters whose they are. Prefixes and
 * lengths are facts published by the vendors and, for many, by the rules of
 * gitleaks (MIT licence, Copyright (c) 2019 Zachary Rice).
 *
 * @module
 */
import type { Rule } from "./examples.ts";

/** A token known by how it starts. */
export interface VendorRule extends Rule {
  /** Beginnings, matched in their case. */
  starts: string[];
  /** What follows: the source of a bounded pattern. */
  body: string;
}

/** Letters and digits; the same and `_-`; hex; base64. */
const A = "[A-Za-z0-9]";
const W = "[A-Za-z0-9_-]";
const H = "[A-Fa-f0-9]";
const B = "[A-Za-z0-9+/_=-]";

/** No word goes on behind. */
const END = "(?![A-Za-z0-9_-])";

function row(
  id: string,
  finds: string,
  starts: string,
  body: string,
  hit: string,
  ...miss: string[]
): VendorRule {
  return {
    id,
    finds,
    starts: starts.split(" "),
    body,
    examples: miss.length > 0 ? { hit: [hit], miss } : { hit: [hit] },
  };
}

/** The vendors, most at home in commands first. */
export const VENDOR_RULES: readonly VendorRule[] = [
  row(
    "aws-access-key",
    "AWS access key ids and Bedrock keys",
    "AKIA ASIA ABIA ACCA",
    "[A-Z0-9]{16}(?![A-Za-z0-9])",
    "aws configure set aws_access_key_id «AKIA+16U»",
    "git log -p | grep -E 'AKIA[0-9A-Z]{16}'",
    "echo AKIAIOSFODNN7EXAMPLE",
  ),
  row(
    "aws-bedrock-key",
    "Amazon Bedrock API keys",
    "ABSK bedrock-api-key-",
    `${B}{60,1200}`,
    "./run «ABSK+110b»",
  ),
  row(
    "github-token",
    "GitHub tokens: personal, OAuth, app, refresh",
    "ghp_ gho_ ghu_ ghs_ ghr_",
    `${A}{20,255}`,
    'curl -sH "Authorization: token «ghp_+36»" https://api.github.com/user',
    "rg -n '(ghp|gho|ghs)_[A-Za-z0-9]{36}'",
    "echo ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
  ),
  row(
    "github-token",
    "GitHub fine-grained tokens",
    "github_pat_",
    "[A-Za-z0-9_]{22,255}",
    "GH_TOKEN=«github_pat_+22_+59» gh api user",
  ),
  row(
    "gitlab-token",
    "GitLab tokens of all kinds",
    "glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct- GR1348941",
    "[A-Za-z0-9_.-]{18,320}",
    "glab auth login --token «glpat-+20»",
  ),
  row(
    "anthropic-key",
    "Anthropic keys and OAuth tokens",
    "sk-ant-",
    `${W}{20,400}`,
    'curl -H "x-api-key: «sk-ant-api03-+95u»" https://api.anthropic.com/v1/models',
    "echo 'ANTHROPIC_API_KEY=sk-ant-...' >> README.md",
  ),
  row(
    "openai-key",
    "OpenAI keys, and others of that shape",
    "sk-proj- sk-svcacct- sk-admin- sk-or-v1- sk-None-",
    `${W}{20,400}`,
    "OPENAI_API_KEY=«sk-proj-+74uT3BlbkFJ+74u» node run.js",
  ),
  row(
    "openai-key",
    "OpenAI's older keys, DeepSeek and others that took the shape",
    "sk-",
    `(?=[A-Za-z]{0,60}\\d)${A}{20,128}(?![A-Za-z0-9-])`,
    "node run.js «sk-+48»",
    'grep -rn "sk-loading-spinner-container-large-wrapper" src',
  ),
  row(
    "stripe-key",
    "Stripe keys and webhook secrets",
    "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ whsec_",
    `${B}{10,255}`,
    "curl https://api.stripe.com/v1/charges -u «sk_live_+24»:",
    "stripe customers retrieve «cus_+14»",
  ),
  row(
    "slack-token",
    "Slack tokens",
    "xoxb- xoxp- xoxa- xoxo- xoxr- xoxs- xoxc- xoxd- xoxe- xoxe.xoxb- xoxe.xoxp- xapp-",
    "[A-Za-z0-9%._-]{10,600}",
    "SLACK_TOKEN=«xoxb-+12d-+13d-+24» node bot.js",
  ),
  row(
    "google-key",
    "Google API keys",
    "AIza",
    `${W}{30,60}`,
    'curl "https://maps.googleapis.com/maps/api/geocode/json?key=«AIza+35u»"',
  ),
  row(
    "google-oauth",
    "Google OAuth secrets and tokens",
    "GOCSPX- ya29. 1//0",
    "[A-Za-z0-9_.-]{20,2048}",
    'GOOGLE_CLIENT_SECRET="«GOCSPX-+28u»" npm run dev',
  ),
  row(
    "npm-token",
    "npm access tokens",
    "npm_",
    `${A}{30,120}(?![A-Za-z0-9_])`,
    'echo "//npm.example.org/:_authToken=«npm_+36»" > .npmrc',
    "echo $npm_config_registry_and_some_very_long_name_here",
  ),
  row(
    "pypi-token",
    "PyPI upload tokens",
    "pypi-AgEIcHlwaS5vcmc pypi-AgENdGVzdC5weXBpLm9yZw",
    `${W}{40,1200}`,
    "uv publish --token «pypi-AgEIcHlwaS5vcmc+150u»",
  ),
  row(
    "huggingface-token",
    "Hugging Face tokens",
    "hf_ api_org_",
    `(?=[A-Za-z0-9]{0,40}[A-Z0-9])${A}{28,80}(?![A-Za-z0-9_])`,
    "huggingface-cli login --token «hf_+34»",
  ),
  row(
    "digitalocean-token",
    "DigitalOcean tokens",
    "dop_v1_ doo_v1_ dor_v1_",
    `${H}{40,80}`,
    "doctl auth init -t «dop_v1_+64h»",
  ),
  row(
    "vault-token",
    "HashiCorp Vault tokens",
    "hvs. hvb. hvr.",
    `${W}{20,320}`,
    "vault login -no-print «hvs.+90u»",
  ),
  row(
    "vault-token",
    "HashiCorp Vault's older tokens",
    "s. b.",
    `(?=[A-Za-z]{0,23}\\d)(?=[a-z0-9]{0,23}[A-Z])${A}{24}(?![A-Za-z0-9_.-])`,
    'curl -H "X-Vault-Token: «s.+24»" $VAULT_ADDR/v1/secret/data/db',
  ),
  row(
    "databricks-token",
    "Databricks tokens",
    "dapi dkea dose",
    `${H}{32}(?:-\\d{1,2})?(?![A-Za-z0-9])`,
    "databricks configure --token <<< «dapi+32h»",
  ),
  row(
    "linear-key",
    "Linear keys",
    "lin_api_ lin_oauth_ lin_wh_",
    `${A}{20,120}`,
    'curl -H "Authorization: «lin_api_+40»" https://api.linear.app/graphql',
  ),
  row(
    "notion-token",
    "Notion tokens",
    "ntn_ secret_",
    `(?=[A-Za-z]{0,40}\\d)(?=[a-z0-9]{0,40}[A-Z])${A}{40,60}(?![A-Za-z0-9_])`,
    'curl -H "Authorization: Bearer «ntn_+11d+35»" https://api.notion.com/v1/users',
  ),
  row(
    "sendgrid-key",
    "SendGrid keys",
    "SG.",
    `${W}{16,32}\\.${W}{30,60}`,
    'curl -H "Authorization: Bearer «SG.+22u.+43u»" https://api.sendgrid.com/v3/mail/send',
  ),
  row(
    "twilio-key",
    "Twilio API keys",
    "SK",
    "[a-f0-9]{32}(?![A-Za-z0-9])",
    "twilio api:core:messages:list -u «SK+32h»",
  ),
  row(
    "age-key",
    "age identities",
    "AGE-SECRET-KEY-1 AGE-SECRET-KEY-PQ-1 AGE-PLUGIN-",
    "[A-Z0-9-]{20,2100}",
    'echo "«AGE-SECRET-KEY-1+58U»" > key.txt',
  ),
  row(
    "docker-token",
    "Docker Hub tokens",
    "dckr_pat_ dckr_oat_",
    `${W}{20,80}`,
    "docker login -u ci -p «dckr_pat_+27u»",
  ),
  row(
    "atlassian-token",
    "Atlassian and Bitbucket tokens",
    "ATATT3 ATCTT3 ATBB ATSTT3 ATOAUTH",
    `${B}{24,400}`,
    "curl -u a@example.com:«ATATT3xFfGF0+171u=+8U» https://acme.atlassian.net/rest/api/3/myself",
  ),
  row(
    "shopify-token",
    "Shopify tokens",
    "shpat_ shpca_ shppa_ shpss_ shptka_ shpua_",
    `${H}{32,64}`,
    'curl -H "X-Shopify-Access-Token: «shpat_+32h»" https://acme.myshopify.com/admin/shop.json',
  ),
  row(
    "doppler-token",
    "Doppler tokens",
    "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.",
    "[A-Za-z0-9_.-]{30,120}",
    "doppler run --token «dp.st.prd.+43» -- npm start",
  ),
  row(
    "grafana-token",
    "Grafana tokens",
    "glsa_ glc_ eyJrIjoi",
    `${B}{30,420}`,
    'curl -H "Authorization: Bearer «glsa_+32_+8h»" https://grafana.example/api/search',
  ),
  row(
    "sentry-token",
    "Sentry tokens",
    "sntrys_ sntryu_ sntrya_ sntryi_",
    `${B}{30,500}`,
    "sentry-cli --auth-token «sntryu_+64h» releases list",
  ),
  row(
    "newrelic-key",
    "New Relic keys",
    "NRAK- NRJS- NRII- NRIQ- NRSP- NRRA-",
    `${W}{16,64}`,
    "newrelic profile add --apiKey «NRAK-+27U» --accountId 1",
  ),
  row(
    "artifactory-key",
    "JFrog keys",
    "AKCp cmVmd",
    `${A}{50,120}`,
    "curl -H 'X-JFrog-Art-Api: «AKCp+69»' -T a.jar https://acme.jfrog.io/libs/a.jar",
  ),
  row(
    "nuget-key",
    "NuGet keys",
    "oy2",
    "[a-z0-9]{43}(?![A-Za-z0-9])",
    "dotnet nuget push a.nupkg -k «oy2+43l»",
  ),
  row(
    "rubygems-key",
    "RubyGems keys",
    "rubygems_",
    `${H}{40,64}`,
    "GEM_HOST_API_KEY=«rubygems_+48h» gem push a.gem",
  ),
  row(
    "cargo-token",
    "crates.io, Clojars tokens",
    "cio CLOJARS_",
    `(?=[A-Za-z]{0,30}\\d)${A}{32,64}(?![A-Za-z0-9])`,
    "cargo login «cio+32»",
  ),
  row(
    "fly-token",
    "Fly.io tokens",
    "fm1r_ fm1a_ fm2_ fo1_",
    `${B}{40,2000}(?:,fm[12][ar]?_${B}{40,2000}){0,4}`,
    'FLY_API_TOKEN="FlyV1 «fm2_+180b»" flyctl deploy',
  ),
  row(
    "heroku-key",
    "Heroku keys",
    "HRKU-",
    `${B}{30,100}`,
    "HEROKU_API_KEY=«HRKU-AA+58u» git push heroku main",
  ),
  row(
    "ci-token",
    "CircleCI, Buildkite, Travis, Pulumi, Prefect, Infracost tokens",
    "CCIPAT_ CCIPRJ_ bkua_ bkaa_ bkct_ pul- pnu_ pnb_ ico-",
    `(?=[A-Za-z_]{0,40}\\d)[A-Za-z0-9_]{30,120}(?![A-Za-z0-9])`,
    'curl -H "Circle-Token: «CCIPAT_+22_+40h»" https://circleci.com/api/v2/me',
  ),
  row(
    "airtable-token",
    "Airtable personal tokens",
    "pat",
    `${A}{14}\\.${H}{64}`,
    'curl -H "Authorization: Bearer «pat+14.+64h»" https://api.airtable.com/v0/meta/bases',
  ),
  row(
    "openshift-token",
    "OpenShift tokens",
    "sha256~",
    `${W}{40,60}`,
    "oc login --token=«sha256~+43u» --server=https://api.example:6443",
  ),
  row(
    "mapbox-token",
    "Mapbox secret tokens",
    "sk.eyJ tk.eyJ",
    `${W}{20,600}\\.${W}{16,80}`,
    'curl "https://api.mapbox.com/tokens/v2?access_token=«sk.eyJ+40u.+22u»"',
  ),
  row(
    "jwt",
    "JSON Web Tokens",
    "eyJ",
    `${W}{8,2000}\\.(?:eyJ)?${W}{6,6000}\\.${W}{0,2000}(?:\\.${W}{1,4000}\\.${W}{1,400})?`,
    "curl -H 'Authorization: Bearer «eyJ+33u.eyJ+40u.+43u»' https://api.example/v1/me",
    "echo 'header.payload.signature'",
  ),
  row(
    "mail-key",
    "Mailgun, Mailchimp, Brevo, Resend keys",
    "key- xkeysib- xsmtpsib- re_",
    `(?=[A-Za-z_-]{0,24}\\d)(?:${H}{32,64}(?:-${A}{16})?|${A}{8}_${A}{20,32})(?![A-Za-z0-9])`,
    "RESEND_API_KEY=«re_+8_+24» pnpm email:send",
  ),
  row(
    "hosting-token",
    "Netlify, Render, Neon, Vercel, Trigger.dev, Tailscale, Cloudflare, Apify tokens",
    "nfp_ nfc_ rnd_ napi_ vcp_ vci_ vca_ vcr_ vck_ tr_dev_ tr_prod_ tr_pat_ tskey-auth- tskey-api- tskey-client- cfut_ cfat_ cfk_ nbp_ apify_api_",
    `(?=[A-Za-z-]{0,60}\\d)${A}{12,128}(?:-${A}{20,128})?${END}`,
    "netlify deploy --auth «nfp_+36»",
    "grep -n napi_create_string_utf8_value_of_length_16 src",
  ),
  row(
    "hosting-token",
    "Supabase, PlanetScale, Vercel Blob secrets",
    "sbp_ sb_secret_ pscale_tkn_ pscale_oauth_ pscale_pw_ vercel_blob_rw_",
    `(?=[A-Za-z_.=-]{0,40}\\d)[A-Za-z0-9_.=-]{20,120}`,
    "SUPABASE_ACCESS_TOKEN=«sbp_+40h» supabase db push",
  ),
  row(
    "ai-key",
    "Perplexity, Groq, Replicate, xAI, Cerebras, Fireworks, E2B, Firecrawl and other keys of AI services",
    "pplx- gsk_ r8_ xai- csk- fw_ e2b_ psk_ fc- esecret_ as- wandb_v1_ tgp_v1_",
    `(?=[A-Za-z]{0,60}\\d)${A}{22,200}${END}`,
    "claude mcp add pplx -e PERPLEXITY_API_KEY=«pplx-+48» -- npx -y server",
    "fc-list-monospace-fonts-for-terminal-2",
  ),
  row(
    "ai-key",
    "LangSmith, NVIDIA, Tavily, Jina, Pinecone, Langfuse, Voyage keys",
    "lsv2_pt_ lsv2_sk_ ls__ nvapi- tvly- jina_ pcsk_ sk-lf- pa-",
    `(?=[A-Za-z_-]{0,40}\\d)${W}{30,200}`,
    'export LANGSMITH_API_KEY="«lsv2_pt_+32h_+10h»"',
  ),
  row(
    "saas-token",
    "Postman, Figma, Contentful, Typeform, Square, Dynatrace, Sourcegraph, 1Password, Inngest and other tokens",
    "PMAK- figd_ figu_ figoh_ CFPAT- tfp_ sq0atp- sq0csp- dt0c01. dt0s16. rdme_ duffel_live_ duffel_test_ shippo_live_ shippo_test_ ops_eyJ sgp_ phx_ p8e- fio-u- tk-us- sm_pat_ sm_aat_ sm_sat_ FLWSECK- FLWSECK_TEST- signkey-prod- signkey-test- y0_ hcaik_ hcbik_ sl.",
    `(?=[A-Za-z_.=-]{0,60}\\d)[A-Za-z0-9_.=-]{28,1200}`,
    "curl -H 'X-Figma-Token: «figd_+40u»' https://api.figma.com/v1/me",
  ),
  row(
    "saas-token",
    "Facebook, EasyPost, Alibaba, Tencent, ntfy, Cursor keys",
    "EAAM EAAC EAAB EAAG EAAA EZAK EZTK LTAI AKID tk_ key_",
    `(?=[A-Za-z]{0,60}\\d)${A}{16,300}${END}`,
    "curl 'https://graph.example/me?x=«EAAC+120»'",
  ),
  row(
    "saas-token",
    "HubSpot, Plaid, LaunchDarkly, Axiom tokens: a prefix and a UUID",
    "pat-na1- pat-na2- pat-eu1- access-sandbox- access-development- access-production- api- sdk- xaat- xapt-",
    `${H}{8}-${H}{4}-${H}{4}-${H}{4}-${H}{12}(?![A-Za-z0-9-])`,
    "curl -H 'Authorization: Bearer «pat-na1-+8h-+4h-+4h-+4h-+12h»' https://api.hubapi.com/x",
  ),
  row(
    "saas-token",
    "Octopus Deploy keys",
    "API-",
    "(?=[A-Z]{0,25}\\d)[A-Z0-9]{26}(?![A-Za-z0-9-])",
    "octo push --apiKey «API-+25U7»",
    "cat API-GATEWAY-REFERENCE-GUIDE.md",
  ),
  row(
    "saas-token",
    "Cloudflare origin CA keys",
    "v1.0-",
    `${H}{24}-${H}{100,200}`,
    "CF_CA=«v1.0-+24h-+146h» ./x",
    "git checkout v1.0-20240101-9f2c4e6a8b0d",
  ),
  row(
    "onepassword-key",
    "1Password secret keys",
    "A3-",
    "[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}",
    "op account add --secret-key «A3-+6U-+6U-+5U-+5U-+5U-+5U»",
  ),
];
