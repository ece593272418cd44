/**
 * Kubernetes and infrastructure as code.
 *
 * @module
 */
import type { Rule } from "../rule.ts";

const KUBE_VALUED =
  "-n --namespace --context --kubeconfig --cluster --user --as --as-group --token -s --server --request-timeout -v --v --cache-dir -l --selector -o --output -f --filename -c --container";

/** The rules. */
export const PLATFORM_RULES: readonly Rule[] = [
  {
    id: "k8s.kubectl",
    title: "Kubernetes' command lines",
    programs: [
      "kubectl",
      "oc",
      "k",
      "kubecolor",
      "microk8s.kubectl",
      "kubectl-argo-rollouts",
      "eksctl",
      "kops",
      "kubeadm",
      "talosctl",
      "k3sup",
      "rancher",
      "velero",
      "krew",
      "vcluster",
      "clusterctl",
      "kubeseal",
    ],
    valued: KUBE_VALUED,
    wraps: ["kubernetes", "k8s", "kubectl", "openshift"],
    neutral:
      "config, kustomize, version, explain, api-resources, api-versions, completion, options, plugin, help, krew, ctx, ns, " +
      "login, logout, whoami #credcheck, project, projects, auth can-i #credcheck, auth whoami #credcheck, cluster-info dump --help, " +
      "create --dry-run=client, apply --dry-run=client, run --dry-run=client, utils, kubeconfig, gen, validate, disconnect, connect",
    read:
      "get, describe, logs, log, top, events, diff, rollout status, rollout history, port-forward, cluster-info, wait, proxy, " +
      "view, status, tree, neat, view-secret, whoami, who-can, list, health, dmesg, members, read, services, stats, " +
      "get-*, adm top, rsh --help, backup get, backup describe, backup logs, etcd status, argo rollouts get, argo rollouts status",
    write:
      "apply, create, delete, patch, edit, scale, replace, set, label, annotate, expose, autoscale, run, exec, drain, cordon, " +
      "uncordon, taint, rollout restart, rollout undo, rollout pause, rollout resume, attach, debug, certificate, rsh, new-app, " +
      "start-build, adm, auth reconcile, upgrade, reboot, reset, init, join, backup create, restore create, argo rollouts *",
    copies: "cp",
    other: "write",
    bare: "read",
    idle: "-h --dry-run --dry-run=client",
    examples: {
      write: [
        "sudo kubectl apply -f k8s/",
        "timeout 5m kubectl rollout restart deploy/web",
        "cat <<EOF | kubectl apply -f -\nkind: ConfigMap\nEOF",
        "kubectl exec -it pod/x -- sh",
        "find . -name '*.yaml' -exec kubectl apply -f {} \\;",
        "oc new-app x",
        "kubectl -n web set image deploy/web web=web:2",
        "TOOL=kubectl; $TOOL delete pod x",
        "kubectl cp x pod:/tmp/x",
        "eksctl create cluster -f c.yaml",
        'k() { kubectl -n web "$@"; }\nk delete pod x',
      ],
      read: [
        "kubectl get pods -A",
        "kubectl -n p get pods -l app=api -o wide | tail -n +2",
        "{ kubectl top pods -n p --no-headers || true; } | sort | tail -3",
        "kubectl logs deploy/web --tail 20",
        "kubectl rollout status deploy/web",
        "kubectl port-forward svc/db 5432:5432 &",
        "diff <(kubectl get cm a -o yaml) <(kubectl get cm b -o yaml)",
        "oc get routes",
        "kubectl cp pod:/tmp/x ./x",
        "kubectl.exe get nodes",
      ],
      neutral: [
        "kubectl version --client",
        "kubectl config get-contexts -o name | grep prod",
        "kubectl kustomize overlays/prod",
        "kubectl explain deployment.spec --recursive | less",
        "source <(kubectl completion bash)",
        "kubectl apply -f x.yaml --dry-run=client",
        "kubectl create deployment x --image y --dry-run=client -o yaml > d.yaml",
        "kubectl apply --help",
        "rg 'kubectl apply' docs/",
        "git commit -m 'use kubectl apply; terraform apply'",
      ],
      swamp: ["kubectl exec deploy/s -n tools -- swamp workflow run nightly"],
    },
  },
  {
    id: "k8s.view",
    category: "k8s.kubectl",
    title: "Viewers of Kubernetes",
    programs: [
      "stern",
      "kubetail",
      "k9s",
      "kubespy",
      "popeye",
      "kubent",
      "kubectx",
      "kubens",
    ],
    neutral: "version, completion, help",
    other: "read",
    bare: "read",
    idle: "-h",
    wraps: ["kubernetes", "k8s"],
    examples: { read: ["stern web -n prod", "k9s --command deploy"] },
  },
  {
    id: "k8s.helm",
    title: "Helm and what deploys to Kubernetes",
    programs: [
      "helm",
      "helmfile",
      "argocd",
      "flux",
      "istioctl",
      "skaffold",
      "argo",
      "tilt",
      "devspace",
      "linkerd",
      "cilium",
      "werf",
      "kapp",
      "ytt",
    ],
    valued:
      "-n --namespace --kube-context --kubeconfig -f --file -e --environment -l --selector --server --auth-token --context -p --profile --repo",
    wraps: ["helm", "argocd", "argo", "flux", "istio"],
    neutral:
      "template, lint, repo, show, inspect, package, dependency, dep, create, search, version, env, completion, plugin, help, verify, " +
      "login, logout, context, pull, fetch, registry, build, render, init, schema, validate, analyze, doctor, docs, dashboard, " +
      "account get-user-info #credcheck, cert, version --client, fix, config, deps, init --help, diagnose",
    read:
      "list, ls, status, get, history, diff, app get, app list, app diff, app history, app logs, app manifests, app resources, app wait, " +
      "cluster list, repo list, proj list, stats, tree, events, logs, export, trace, proxy-status, ps, proxy-config, x, check, viz, connectivity status, " +
      "test --help, wait, inspect apps, get *",
    write:
      "install, upgrade, uninstall, delete, rollback, test, push, sync, apply, destroy, app sync, app create, app delete, app set, " +
      "app rollback, app terminate-op, suspend, resume, reconcile, bootstrap, run, dev, deploy, submit, up, down, converge, terminate, stop, retry",
    other: "write",
    idle: "-h --dry-run",
    examples: {
      write: [
        "helm upgrade --install web ./chart --version 1.2.3",
        "helm repo update >/dev/null && helm upgrade --install i a/b -n i -f v.yaml --atomic",
        "helm uninstall web",
        "helmfile -e prod sync",
        "argocd app sync web",
        "flux reconcile kustomization apps",
        "istioctl install -y",
        "skaffold run",
      ],
      read: [
        "helm -n monitoring get values p -o yaml > /tmp/v.yaml",
        "helm list -A",
        "helm history web",
        "argocd app get web",
        "helmfile diff",
        "flux get kustomizations",
      ],
      neutral: [
        "helm template ./chart",
        "helm dependency build c && helm lint c && helm template a c | kubeconform -strict",
        "helm upgrade web ./chart --dry-run",
        "helm version",
        "helm show values a/b",
        "helm repo add a https://charts.example.com",
      ],
    },
  },
  {
    id: "iac.terraform",
    title: "Terraform and its kin",
    programs: [
      "terraform",
      "tofu",
      "terragrunt",
      "tf",
      "cdktf",
      "terramate",
      "atlantis",
      "terraform-*",
    ],
    valued: "--terragrunt-working-dir --working-dir --queue-include-dir --app",
    wraps: ["terraform", "opentofu"],
    neutral:
      "fmt, validate, version, graph, get, login, logout, help, console, providers, metadata, test --help, hclfmt, hclvalidate, render-json, " +
      "modules, metadata functions, synth, hcl, render, find, list, dag, info, init --help, format, generate",
    read:
      "plan, show, output, init, state list, state show, state pull, workspace list, workspace show, diff, run-all plan, run-all output, " +
      "workspace select, refresh --help, run plan, run output, run show, stack output",
    write:
      "apply, destroy, import, taint, untaint, refresh, state rm, state mv, state push, state replace-provider, force-unlock, workspace new, " +
      "workspace delete, run-all apply, run-all destroy, deploy, test, run apply, run destroy, run --all, stack run",
    other: "write",
    idle: "-h -help -version",
    examples: {
      write: [
        "terraform -chdir=infra apply -auto-approve",
        "(cd infra && tofu destroy)",
        "nohup terraform apply &",
        "tofu state rm 'module.legacy[\"eu\"].x.y'",
        "terragrunt run-all apply",
        "terraform import a.b c",
        "terraform.exe apply",
        'case "$ENV" in prod) terraform apply;; *) echo no ;; esac',
        "cdktf deploy",
      ],
      read: [
        "terraform plan",
        "cd e && terraform init -backend=false >/dev/null && terraform plan -out=p | tee plan.txt",
        "terraform output -json",
        "terraform state list",
        "terragrunt plan",
      ],
      neutral: [
        "terraform fmt -recursive",
        "terraform validate",
        "terraform --version",
        "terraform plan -help",
        'docker run --rm -v "$PWD":/w -w /w hashicorp/terraform:1.9 fmt -check',
      ],
    },
  },
  {
    id: "iac.pulumi",
    title: "Pulumi",
    programs: ["pulumi"],
    valued: "-s --stack -C --cwd --color -e --env",
    wraps: ["pulumi"],
    neutral:
      "version, login, logout, whoami #credcheck, new, config, plugin, about, help, gen-completion, convert, install, package, policy, schema, stack select, stack init, org, env",
    read:
      "preview, pre, diff, stack ls, stack output, stack, stack graph, stack history, logs, stack export, state --help, about env, config get, env get, env ls, env open, console, watch --help",
    write:
      "up, update, destroy, down, refresh, import, cancel, state, stack rm, stack import, stack rename, stack change-secrets-provider, watch, deployment, env set, env rm",
    other: "write",
    idle: "-h --preview-only",
    examples: {
      write: ["pulumi up --yes", "pulumi -s prod destroy", "pulumi refresh -y"],
      read: [
        "pulumi preview --diff -s a/b 2>&1 | tail -40",
        "pulumi stack output url",
      ],
      neutral: ["pulumi version", "pulumi login", "pulumi whoami"],
    },
  },
  {
    id: "iac.cdk",
    title: "The AWS Cloud Development Kit",
    programs: ["cdk", "aws-cdk", "cdk8s", "cdklocal"],
    valued: "-a --app -c --context --profile -o --output",
    wraps: ["cdk", "cloudformation"],
    neutral:
      "synth, synthesize, init, version, doctor, docs, acknowledge, context, help, notices, ack, flags",
    read: "diff, list, ls, metadata, drift",
    write:
      "deploy, destroy, bootstrap, import, watch, rollback, gc, migrate, refactor",
    other: "write",
    idle: "-h --no-execute",
    examples: {
      write: [
        "npx cdk deploy",
        "npx aws-cdk@2 deploy --all",
        "cdk destroy -f",
        "cdk bootstrap",
      ],
      read: ["cdk diff", "npx cdk list"],
      neutral: ["cdk synth", "cdk --version", "npx cdk init app"],
    },
  },
  {
    id: "iac.ansible",
    title: "Ansible and other configuration management",
    programs: [
      "ansible",
      "ansible-playbook",
      "ansible-pull",
      "ansible-console",
      "salt",
      "salt-call",
      "salt-ssh",
      "salt-run",
      "chef-client",
      "chef",
      "chef-run",
      "knife",
      "puppet",
      "bolt",
      "packer",
      "pyinfra",
      "fab",
      "cap",
      "mgmt",
      "nixos-rebuild",
      "colmena",
      "deploy-rs",
      "nixops",
    ],
    valued:
      "-i --inventory -e --extra-vars -l --limit -u --user -f --forks -m --module-name -a --args",
    wraps: ["ansible", "salt", "chef", "puppet", "packer"],
    neutral:
      "fmt, validate, init, inspect, version, help, plugins, generate, exec rubocop, module, parser, describe, console, hcl2_upgrade, " +
      "dry-build, dry-activate, build-vm",
    read:
      "node list, node show, list, show, test.ping, grains.items, diff, search, status",
    other: "write",
    bare: "write",
    idle: "-h --syntax-check --list-tasks --list-hosts --list-tags --dry-run",
    onlyReads: "-C --check --noop --why-run -W ping setup -m=ping",
    examples: {
      write: [
        "ansible-playbook -i hosts site.yml",
        "ansible all -i inv -b -m service -a 'name=nginx state=restarted'",
        "salt '*' state.apply",
        "packer build image.pkr.hcl",
        "chef-client",
        "nixos-rebuild switch --target-host h",
      ],
      read: [
        "ansible-playbook -i prod site.yml --check --diff",
        "ansible all -m ping",
      ],
      neutral: [
        "ansible-playbook --syntax-check site.yml",
        "ansible-playbook site.yml --list-tasks",
        "packer validate image.pkr.hcl",
        "ansible --version",
        "ansible-lint site.yml",
        "ansible-galaxy install -r requirements.yml",
      ],
    },
  },
];
