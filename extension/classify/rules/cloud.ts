/**
 * Command lines of cloud providers.
 *
 * @module
 */
import { judgeAws, judgeAzure, judgeGoogle } from "../judge/forge.ts";
import type { Rule } from "../rule.ts";

const AWS_VALUED =
  "--profile --region --output --endpoint-url --query --color --ca-bundle --cli-read-timeout --cli-connect-timeout";
const AWS_READ = (
  "describe-*, get-*, list-*, head-*, batch-get-*, batch-describe-*, search-*, lookup-*, filter-*, " +
  "scan, query, wait, receive-*, select-*, simulate-*, validate-*, estimate-*, check-*, view-*, preview-*, detect-*, " +
  "discover-*, test-*, verify-*, decode-*, retrieve-*, download-*, export-to-*, tail, transact-get-items, " +
  "execute-change-set-dry-run, evaluate-*, count-*, poll-*"
).split(", ").map((verb) => `* ${verb}`).join(", ");

/** The rules. */
export const CLOUD_RULES: readonly Rule[] = [
  {
    id: "cloud.aws",
    title: "AWS's command line",
    programs: ["aws", "aws2", "awscli"],
    valued: AWS_VALUED,
    services: true,
    wraps: ["aws", "amazon"],
    judge: judgeAws,
    neutral:
      "help, * help, * * help, configure, configure *, sso, login, logout, sts get-caller-identity #credcheck, history, " +
      "sts decode-authorization-message, * * generate-cli-skeleton, s3 help",
    read:
      `${AWS_READ}, s3 ls, s3 presign, logs tail, logs start-query, logs start-live-tail, eks update-kubeconfig, eks get-token, ` +
      "ecr get-*, ssm start-session, dynamodb query, dynamodb scan, sts assume-role*, sts get-*, iam generate-*, " +
      "cloudformation package, cloudtrail lookup-events, rds generate-db-auth-token, pricing *, ce *, " +
      "athena get-*, codecommit get-*, ec2 wait, cloudfront wait",
    copies: "s3 cp, s3 sync",
    other: "write",
    idle: "--dry-run --dryrun --no-execute-changeset --generate-cli-skeleton",
    examples: {
      write: [
        "AWS_PROFILE=prod aws s3 rm s3://b --recursive",
        "aws --profile prod ec2 terminate-instances --instance-ids i-1",
        "aws lambda invoke --function-name f out.json",
        "aws s3 cp build.zip s3://b/",
        "aws s3 sync ./public s3://b --delete",
        "aws ecs update-service --cluster c --service s --force-new-deployment",
        "aws iam create-access-key --user-name x",
        "aws sqs send-message --queue-url u --message-body b",
        "aws sns publish --topic-arn t --message m",
        "aws route53 change-resource-record-sets --hosted-zone-id z --change-batch file://c.json",
        "aws cloudformation deploy --template-file t.yaml --stack-name s",
        "aws ecs execute-command --cluster c --task t --command 'ls' --interactive",
        "aws.exe s3 mb s3://b",
        "docker run --rm amazon/aws-cli:2 ec2 stop-instances --instance-ids i-1",
        'bash -c "aws ec2 run-instances --image-id ami-1"',
        "cat ids | xargs -n1 aws ec2 stop-instances --instance-ids",
        "for i in a b; do aws ec2 reboot-instances --instance-ids $i; done",
      ],
      read: [
        "aws ec2 describe-instances --region us-east-1",
        "env -u X AWS_REGION=y aws s3 ls",
        "aws s3 cp s3://b/key.json .",
        "aws s3 sync s3://b/logs ./logs",
        "aws logs tail /aws/lambda/f --follow",
        "aws dynamodb scan --table-name t",
        "aws cloudwatch get-metric-statistics --namespace n",
        "aws ce get-cost-and-usage --time-period Start=a,End=b",
        "aws ecr get-login-password | docker login --username AWS --password-stdin r",
        "aws eks update-kubeconfig --name c",
        "X=$(aws ssm get-parameter --name /a/b --query Parameter.Value)",
      ],
      neutral: [
        "aws --version",
        "aws --endpoint-url http://localhost:4566 s3 mb s3://b",
        "aws help",
        "aws ec2 describe-instances help",
        "aws configure list",
        "aws configure list-profiles; aws configure get region",
        "aws sts get-caller-identity",
        "aws sso login --profile dev",
        "aws ec2 run-instances --dry-run --image-id ami-1",
        "aws s3 rm s3://b --recursive --dryrun",
        "which aws",
        "man aws",
        'echo "aws ec2 terminate-instances"',
      ],
    },
  },
  {
    id: "cloud.gcp",
    title: "Google Cloud's command lines",
    programs: ["gcloud", "gsutil", "bq"],
    valued:
      "--project --account --configuration --format --impersonate-service-account --verbosity --region --zone -h -o --project_id --location",
    scan: true,
    wraps: ["gcp", "google", "gcloud"],
    neutral:
      "config, auth login, auth application-default, auth list #credcheck, auth revoke, auth configure-docker, auth activate-service-account, " +
      "help, version, info, components, init, topic, survey, cheat-sheet, feedback, alpha help, beta help, emulators, " +
      "alpha emulators, beta emulators, docker, container clusters get-credentials, projects list #projects, mk --help",
    read:
      "list, describe, get, get-*, print-*, read, log, ls, cat, du, stat, hash, show, head, logs read, logging read, logging tail, tail, " +
      "compute instances list, compute instances get-serial-port-output, search-*, lookup, " +
      "iam test-*, versions list, test-iam-permissions, wait, diff, storage ls, storage cat, storage du, browse, " +
      "projects list, projects describe, auth print-*",
    write:
      "deploy, create, delete, update, set, set-*, add-*, remove-*, submit, ssh, scp, start, stop, reset, resize, " +
      "rm, mv, mb, rb, mk, load, insert, extract, builds submit, compute ssh, compute scp, " +
      "run deploy, app deploy, functions deploy, services enable, services disable, enable, disable, import, " +
      "patch, restart, rollback, promote, publish, execute, apply, cancel, undelete, restore, invoke, call",
    judge: judgeGoogle,
    copies: "cp, rsync, storage cp, storage rsync, compute scp",
    other: "write",
    idle: "-h --dry-run --dry_run --validate-only",
    examples: {
      write: [
        "gcloud run deploy api --image gcr.io/p/api:1 --region europe-west1 --quiet",
        "gsutil -m rsync -r -d ./public gs://b",
        "gcloud compute instances delete vm-1 --zone z -q",
        "gcloud builds submit --tag gcr.io/p/i .",
        "gcloud projects add-iam-policy-binding p --member m --role r",
        "gcloud services enable run.googleapis.com",
        "gcloud --project x sql instances patch db --tier t",
        "bq rm -f -t d.t",
        "bq load d.t file.csv",
        "gsutil cp out.tgz gs://b/",
        'gsutil -m setmeta -h "Cache-Control:no-cache" gs://b/x',
        "bq query 'DELETE FROM d.t WHERE true'",
        "gcloud functions deploy f --runtime nodejs20",
        "gcloud pubsub topics publish t --message m",
      ],
      read: [
        "gcloud compute instances list",
        "gcloud run services describe api --region r --format json",
        "gcloud logging read 'severity>=ERROR' --limit 10",
        "gsutil ls gs://b",
        "gsutil cp gs://b/x.json .",
        "gcloud auth print-access-token",
        "bq query --use_legacy_sql=false 'SELECT count(*) FROM d.t'",
        "bq ls d",
        "gcloud storage cat gs://b/x",
      ],
      neutral: [
        "gcloud config set project p",
        "gcloud auth login",
        "gcloud --version",
        "gcloud compute instances create --help",
        "gcloud version",
      ],
    },
  },
  {
    id: "cloud.azure",
    title: "Azure's command lines",
    programs: ["az", "azd", "func", "azcopy"],
    valued: "--subscription -g --resource-group -o --output --query",
    scan: true,
    judge: judgeAzure,
    wraps: ["azure", "az"],
    neutral:
      "login #credcheck, logout, account, configure, config, version, find, interactive, upgrade, extension, help, auth, " +
      "cloud, feedback, rest --help, bicep build, bicep lint, bicep install, bicep version, bicep decompile, aks get-credentials, " +
      "acr login, cache, self-test, init, start, new, build, package, restore, template, env list, env select, env get-values, " +
      "ad signed-in-user show #credcheck",
    read:
      "list, list-*, show, show-*, get, get-*, exists, query, download, download-batch, tail, log tail, check-*, validate, what-if, " +
      "wait, monitor, summarize, logs, account list-locations, graph query, deployment group what-if, deployment sub what-if, " +
      "webapp log tail, costmanagement query, storage blob download, storage blob list",
    write:
      "create, delete, update, set, add, remove, restart, start-*, vm start, stop, deallocate, deploy, up, down, provision, publish, upload, upload-batch, " +
      "purge, restore-*, assign, invoke, run, import, regenerate-*, rotate-*, scale, swap, redeploy, generate-*, rest, " +
      "webapp start, functionapp start, aks start, containerapp exec, acr build, copy, sync, start-batch",
    other: "write",
    idle: "-h --what-if --dry-run",
    examples: {
      write: [
        "az group delete -n rg --yes",
        "az vm start -g rg -n vm",
        "az webapp deploy --src-path a.zip -g rg -n app",
        "az deployment group create -g rg -f main.bicep",
        "az vm deallocate -g rg -n vm",
        "az storage blob upload -c c -f x",
        "az aks scale -g rg -n c --node-count 3",
        "azd up --no-prompt",
        "azd deploy",
        "func azure functionapp publish app",
        "az.cmd group create -n rg -l westeurope",
        "az role assignment create --assignee x --role r",
      ],
      read: [
        'az vm list -g rg --query "[].name" -o tsv -d',
        "az group show -n rg",
        "az webapp log tail -g rg -n app",
        "az deployment group what-if -g rg -f main.bicep",
        "az monitor metrics list --resource r",
        "az graph query -q 'Resources | count'",
        "az rest --method get --url https://management.azure.com/x",
        "az functionapp config appsettings list -n f -g rg",
      ],
      neutral: [
        "az login",
        "az account set --subscription x && az account show -o table",
        "az --version",
        "az vm create --help",
        "az bicep build -f main.bicep",
        "azd auth login",
      ],
    },
  },
  {
    id: "cloud.other",
    title: "Command lines of other clouds and of what they host",
    programs: [
      "doctl",
      "hcloud",
      "linode-cli",
      "linode",
      "oci",
      "ibmcloud",
      "scw",
      "exo",
      "vultr",
      "vultr-cli",
      "civo",
      "upctl",
      "openstack",
      "nova",
      "ovhcloud",
      "aliyun",
      "tccli",
      "yc",
      "s3cmd",
      "s5cmd",
      "mc",
      "b2",
      "packet",
      "metal",
      "equinix",
      "nomad",
      "consul",
      "boundary",
      "confluent",
      "ccloud",
      "databricks",
      "snow",
      "modal",
      "ovftool",
      "govc",
      "virsh",
      "pvesh",
      "qm",
      "pct",
      "proxmox",
      "flarectl",
      "dnscontrol",
      "octodns-sync",
      "stackit",
      "gridscale",
    ],
    valued:
      "-t --access-token -c --context --config --profile --region -o --output --compartment-id -p -address -namespace -token -http-addr -u -k",
    scan: true,
    wraps: [
      "digitalocean",
      "hetzner",
      "linode",
      "oracle",
      "ibm",
      "scaleway",
      "exoscale",
      "vultr",
      "civo",
      "openstack",
      "ovh",
      "alibaba",
      "nomad",
      "consul",
      "proxmox",
      "vmware",
      "cloudflare",
      "minio",
      "databricks",
      "snowflake",
    ],
    neutral:
      "help, version, auth, login, logout, init, context, config, configure, completion, setup, profile, whoami #credcheck, account get #credcheck, " +
      "target, plugin, alias, validate, job validate, fmt, compute region list, kubernetes cluster kubeconfig",
    read:
      "list, ls, get, get-*, show, describe, describe-*, list-*, ps, info, status, logs, log, search, find, stat, du, head, cat, tree, diff, " +
      "events, metrics, read, view, monitor, " +
      "plan, job plan, job status, node status, alloc status, alloc logs, catalog services, catalog nodes, dump, dumpxml, dominfo, preview, check, " +
      "kv get, operator raft list-peers, wait, inspect, consume, describe-topic, --list, --describe, tail, describe-*, members, catalog *, * Describe*, * List*, * Get*, * Query*",
    write:
      "create, delete, update, add, remove, rm, set, start, stop, reboot, run, deploy, destroy, apply, push, scale, restart, kv put, kv delete, put, " +
      "mv, mb, rb, job run, job stop, --create, --delete, --alter, up, down, enable, disable, attach, detach, resize, exec",
    copies: "cp, sync, mirror, get, kv get, objectstorage get",
    other: "write",
    idle: "-h -version --dry-run -dry-run",
    examples: {
      write: [
        "doctl compute droplet create web",
        "doctl kubernetes cluster node-pool update c p --count 4",
        "hcloud server delete web-1",
        "linode-cli linodes reboot 1",
        "oci compute instance terminate --instance-id o --force",
        "scw instance server stop s",
        "nomad job run web.nomad",
        "consul kv put a b",
        "openstack server delete x",
        "s3cmd put x s3://b",
        "mc rm --recursive --force m/b",
        "ibmcloud ks cluster rm -c x",
        "virsh destroy vm1",
      ],
      read: [
        "doctl compute droplet list --format ID,Name",
        "hcloud server list -o json",
        "linode-cli linodes list",
        "oci compute instance list -c o",
        "scw instance server list",
        "nomad job status web",
        "consul kv get a",
        "consul members",
        "aliyun ecs DescribeInstances",
        "s3cmd ls s3://b",
        "mc ls m/b",
      ],
      neutral: [
        "doctl auth init",
        "hcloud context list",
        "doctl --help",
        "hcloud version",
        "nomad job validate web.nomad",
      ],
    },
  },
  {
    id: "cloud.other.cf",
    category: "cloud.other",
    title: "Cloud Foundry and Juju",
    programs: ["cf", "cf7", "cf8", "bosh", "juju"],
    neutral:
      "help, version, login, logout, target, api, plugins, auth, config, interpolate, int, whoami #credcheck",
    read:
      "apps, app, services, service, logs, events, env, orgs, spaces, routes, domains, buildpacks, marketplace, status, show-*, list-*, vms, instances, deployments, tasks, releases, stemcells, models, controllers, machines, a, s, e, o, org, space, users, org-users",
    other: "write",
    bare: "neutral",
    idle: "-h --dry-run",
    wraps: ["cloudfoundry", "juju"],
    examples: {
      write: ["cf push app", "cf delete-app x -f", "juju deploy postgresql"],
      read: ["cf apps", "cf logs app --recent", "juju status"],
      neutral: ["cf login", "cf version"],
    },
  },
];
