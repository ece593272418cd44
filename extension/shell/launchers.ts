/**
 * Programs that start the program one is looking for. Data only; `unwrap.ts`
 * reads it.
 *
 * @module
 */
import type { Elsewhere } from "./types.ts";

/** How a launcher says what it starts. */
export interface Launcher {
  /** Its program names. */
  names: readonly string[];
  /** Words that must follow the name: `exec`, `compose exec`; one of them. */
  sub?: readonly string[];
  /** Options that take the next word as their value. */
  valued?: readonly string[];
  /** Positional words before the command: 1 for `timeout 5 CMD`. */
  skip?: number;
  /** The command comes only after `--`. */
  dashes?: true;
  /** `NAME=value` may come before the command. */
  assigns?: true;
  /** Options whose value is a command line. */
  text?: readonly string[];
  /** The rest, joined, is a command line: `watch`, `eval`, `ssh`. */
  join?: true;
  /** Each remaining word is a command line: `concurrently`. */
  each?: true;
  /** It does something of its own, so it stays a command too: `ssh`. */
  keeps?: true;
  /** What it starts runs elsewhere. */
  elsewhere?: Elsewhere;
  /** The command's first word names a package: `npx wrangler@3`. */
  package?: true;
  /** Options that make it a question, not a launch: `command -v`. */
  asks?: readonly string[];
}

const ENGINE = ["docker", "podman", "nerdctl", "finch"];
const COMPOSE = [...ENGINE, "docker-compose", "podman-compose"];
const RUN_VALUES = (
  "-e --env --env-file -v --volume -w --workdir -u --user -p --publish --name --network --net " +
  "--mount -l --label -h --hostname --platform --entrypoint --add-host -m --memory --cpus --gpus --pull " +
  "--restart --cap-add --cap-drop --device --dns --log-driver --log-opt --shm-size --tmpfs --ulimit " +
  "--security-opt --ipc --pid --volumes-from --cidfile -a --attach --link --expose --runtime --userns " +
  "--stop-signal --stop-timeout --health-cmd --label-file --detach-keys --index -f --file --profile " +
  "--project-directory --project-name --secret --annotation"
).split(" ");
const SSH_VALUES =
  "-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w -B".split(" ");
const KUBE_VALUES = (
  "-n --namespace -c --container --context --kubeconfig --cluster --user --as --as-group --token " +
  "-s --server --request-timeout --pod-running-timeout --profile -f --filename -l --selector"
).split(" ");

/** All launchers; the first row that fits wins. */
const LAUNCHERS: readonly Launcher[] = [
  {
    names: ["sudo", "gsudo"],
    valued:
      "-u -g -h -p -C -D -R -T -U -r -t --user --group --host --prompt --chdir --close-from --role --type --other-user"
        .split(" "),
    assigns: true,
    asks: ["-l", "-v", "-k", "-K", "--list", "--validate"],
  },
  { names: ["sshpass"], valued: ["-p", "-f", "-d", "-P"] },
  { names: ["doas"], valued: ["-u", "-C"] },
  {
    names: ["env", "genv"],
    valued: ["-u", "-C", "--unset", "--chdir"],
    text: ["-S", "--split-string"],
    assigns: true,
  },
  {
    names:
      ("nohup setsid builtin chronic unbuffer tsp fakeroot torsocks tsocks rlwrap valgrind pkexec run0 " +
        "dbus-run-session ssh-agent daemonize flatpak-spawn dotenv-cli run-one proxychains prlimit catchsegv")
        .split(" "),
    valued: ["-f", "-u", "--user"],
  },
  {
    names: ["xvfb-run", "proxychains4", "retry", "gdb"],
    valued: "-n -s -e -f -o -p -t -d -m -w".split(" "),
  },
  { names: ["perf"], sub: ["stat", "record"], valued: ["-e", "-o", "-F"] },
  { names: ["and", "or", "not", "begin", "noglob", "nocorrect", "coproc"] },
  { names: ["command"], asks: ["-v", "-V"] },
  { names: ["exec"], valued: ["-a"] },
  {
    names: ["time", "gtime"],
    valued: ["-f", "-o", "--format", "--output"],
  },
  { names: ["nice"], valued: ["-n", "--adjustment"] },
  { names: ["ionice"], valued: ["-c", "-n", "-p", "--class", "--classdata"] },
  {
    names: ["timeout", "gtimeout"],
    valued: ["-s", "-k", "--signal", "--kill-after"],
    skip: 1,
  },
  {
    names: ["stdbuf", "gstdbuf"],
    valued: ["-i", "-o", "-e", "--input", "--output", "--error"],
  },
  { names: ["caffeinate"], valued: ["-t", "-w"] },
  {
    names: ["watch"],
    valued: ["-n", "--interval", "-q", "--equexit"],
    join: true,
  },
  {
    names: ["xargs", "gxargs"],
    valued:
      "-I -n -P -L -d -E -s -a -J -R -S --replace --max-args --max-procs --max-lines --delimiter --arg-file --max-chars"
        .split(" "),
  },
  {
    names: ["parallel", "sem"],
    valued: "-j -I -N -n -a --jobs --arg-file --colsep --delay --timeout"
      .split(" "),
    join: true,
  },
  {
    names: ["strace", "ltrace", "dtruss"],
    valued: ["-e", "-o", "-p", "-s", "-u"],
  },
  {
    names: ["flock"],
    valued: ["-w", "-E", "--timeout"],
    text: ["-c", "--command"],
    skip: 1,
  },
  { names: ["taskset", "chrt"], skip: 1 },
  { names: ["numactl", "unshare", "setpriv", "firejail"] },
  { names: ["setarch", "linux64", "linux32"] },
  { names: ["arch"], valued: ["-e"] },
  {
    names: "chroot gosu su-exec s6-setuidgid setuidgid faketime envdir".split(
      " ",
    ),
    skip: 1,
  },
  { names: ["nsenter"], valued: ["-t", "-S", "-G"] },
  {
    names: ["runuser", "su"],
    valued: ["-u", "-s", "-g", "-G", "--user", "--shell", "--group"],
    text: ["-c", "--command"],
    dashes: true,
  },
  { names: ["tini", "dumb-init", "catatonit", "with-contenv"] },
  {
    names: ["systemd-run"],
    valued: ["-u", "-p", "--unit", "--property", "-E", "--setenv", "--uid"],
  },
  { names: ["script"], valued: ["-T", "-B"], text: ["-c", "--command"] },
  { names: ["cross-env", "cross-env-shell"], assigns: true },
  { names: ["dotenv", "env-cmd"], valued: ["-e", "-f", "-p", "-v"] },
  { names: ["dotenvx"], sub: ["run"], valued: ["-f", "-e"] },
  { names: ["direnv"], sub: ["exec"], skip: 1 },
  { names: ["rtk"] },
  {
    names:
      "op doppler infisical teller phase railway envconsul akeyless keeper bws netlify vercel"
        .split(" "),
    sub: ["run", "dev:exec"],
    dashes: true,
  },
  {
    names: ["chamber", "aws-vault", "aws-okta", "saml2aws", "aws-sso", "av"],
    sub: ["exec"],
    valued: "-p -d -b -a --profile --duration --region --idp-account"
      .split(" "),
    skip: 1,
  },
  { names: ["envchain", "assume-role", "awsume"], skip: 1 },
  { names: ["assume"], text: ["--exec"], skip: 1 },
  { names: ["kubie"], sub: ["exec"], skip: 2 },
  { names: ["sops"], sub: ["exec-env", "exec-file"], skip: 1, join: true },
  { names: ["summon"], valued: ["-f", "-p", "-e"] },
  {
    names: ["mise", "rtx"],
    sub: ["exec", "x"],
    valued: ["-C", "-E", "-j", "--cd", "--env"],
    dashes: true,
  },
  { names: ["asdf", "pyenv", "rbenv", "nodenv"], sub: ["exec"] },
  {
    names: "devcontainer ddev toolbox okteto devspace distrobox".split(" "),
    sub: ["exec", "run"],
    valued: ["--workspace-folder", "-c", "--container", "-s", "-d", "--dir"],
  },
  { names: ["nvm", "fnm"], sub: ["exec"], skip: 1 },
  { names: ["volta"], sub: ["run"], valued: ["--node", "--npm", "--yarn"] },
  { names: ["poetry", "pdm", "pipenv", "rye", "hatch"], sub: ["run"] },
  {
    names: ["uv"],
    sub: ["tool run"],
    valued: ["--from", "--with", "-p", "--python"],
    package: true,
  },
  {
    names: ["uv"],
    sub: ["run"],
    valued:
      "-p --python --with --with-editable --with-requirements --extra --group --env-file --directory --project --package --index --index-url"
        .split(" "),
  },
  {
    names: ["uvx"],
    valued: ["--from", "--with", "-p", "--python"],
    package: true,
  },
  {
    names: ["pipx"],
    sub: ["run"],
    valued: ["--spec", "--python"],
    package: true,
  },
  {
    names: ["conda", "mamba", "micromamba"],
    sub: ["run"],
    valued: ["-n", "-p", "--name", "--prefix", "--cwd"],
  },
  { names: ["bundle"], sub: ["exec"] },
  {
    names: ["npx"],
    valued: ["-p", "--package", "-w", "--workspace"],
    text: ["-c", "--call"],
    package: true,
  },
  { names: ["bunx", "pnpx"], valued: ["-p", "--package"], package: true },
  { names: ["bun"], sub: ["x"], package: true },
  {
    names: ["pnpm", "yarn"],
    sub: ["dlx"],
    valued: ["-p", "--package"],
    package: true,
  },
  { names: ["pnpm", "yarn"], sub: ["exec"], text: ["-c"] },
  {
    names: ["npm"],
    sub: ["exec", "x"],
    valued: ["-p", "--package", "-w", "--workspace"],
    text: ["-c", "--call"],
    package: true,
  },
  {
    names: ["nix-shell"],
    valued: ["-p", "--packages", "-I"],
    text: ["--run", "--command"],
    dashes: true,
  },
  {
    names: ["nix"],
    sub: ["shell", "develop"],
    text: ["-c", "--command"],
    dashes: true,
  },
  { names: ["devbox"], sub: ["run"], valued: ["-c", "--config", "-e"] },
  { names: ["flox"], sub: ["activate"], dashes: true },
  { names: ["distrobox"], sub: ["enter"], dashes: true },
  { names: ["busybox", "toybox"] },
  { names: ["eval", "invoke-expression", "iex"], join: true },
  { names: ["trap"], each: true },
  {
    names: ["concurrently", "hyperfine"],
    valued: "-n -c -p -k -m -w -r --names --prefix --warmup --runs".split(" "),
    each: true,
  },
  { names: ["nodemon"], text: ["-x", "--exec"], dashes: true },
  { names: ["entr"] },
  {
    names: ["watchexec"],
    valued: ["-e", "-w", "-i", "-f", "--exts", "--watch"],
  },
  { names: ["wsl"], valued: ["-d", "-u", "--distribution", "--user", "--cd"] },
  { names: ["call"] },
  // What follows does something of its own and starts something elsewhere.
  {
    names: ["ssh", "autossh", "mosh"],
    valued: SSH_VALUES,
    skip: 1,
    join: true,
    keeps: true,
    elsewhere: "host",
  },
  {
    names: ["tsh", "tailscale"],
    sub: ["ssh"],
    valued: SSH_VALUES,
    skip: 1,
    join: true,
    keeps: true,
    elsewhere: "host",
  },
  {
    names: ["psexec", "psexec64", "paexec"],
    valued: ["-u", "-p"],
    skip: 1,
    keeps: true,
    elsewhere: "host",
  },
  {
    names: ["pssh", "parallel-ssh", "pdsh", "clush"],
    valued: "-h -H -l -p -o -e -t -O -w -x -g".split(" "),
    join: true,
    keeps: true,
    elsewhere: "host",
  },
  { names: ["winrs"], join: true, keeps: true, elsewhere: "host" },
  {
    names: ["gcloud"],
    sub: ["compute ssh"],
    text: ["--command"],
    dashes: true,
    keeps: true,
    elsewhere: "host",
  },
  {
    names: ["vagrant"],
    sub: ["ssh"],
    text: ["-c", "--command"],
    dashes: true,
    keeps: true,
    elsewhere: "container",
  },
  {
    names: ["fly", "flyctl"],
    sub: ["ssh console"],
    text: ["-C", "--command"],
    dashes: true,
    keeps: true,
    elsewhere: "host",
  },
  {
    names: ["heroku"],
    sub: ["run"],
    valued: ["-a", "--app", "-r", "--remote", "-e", "--env", "-s", "--size"],
    join: true,
    keeps: true,
    elsewhere: "host",
  },
  {
    names: ["aws"],
    sub: ["ecs execute-command"],
    text: ["--command"],
    dashes: true,
    keeps: true,
    elsewhere: "container",
  },
  {
    names: ["az"],
    sub: ["containerapp exec", "container exec"],
    text: ["--command", "--exec-command"],
    dashes: true,
    keeps: true,
    elsewhere: "container",
  },
  {
    names: ["doctl"],
    sub: ["compute ssh"],
    text: ["--ssh-command"],
    dashes: true,
    keeps: true,
    elsewhere: "host",
  },
  {
    names: ["gh"],
    sub: ["codespace ssh", "cs ssh"],
    valued: ["-c", "--codespace"],
    dashes: true,
    keeps: true,
    elsewhere: "host",
  },
  {
    names: ["kubectl", "oc", "k", "kubecolor", "microk8s.kubectl"],
    sub: ["exec", "rsh"],
    valued: KUBE_VALUES,
    skip: 1,
    keeps: true,
    elsewhere: "container",
  },
  {
    names: ["kubectl", "oc", "k", "kubecolor", "microk8s.kubectl"],
    sub: ["run", "debug"],
    valued: [...KUBE_VALUES, "--image", "--restart", "--overrides", "--env"],
    dashes: true,
    keeps: true,
    elsewhere: "container",
  },
  {
    names: ["nomad"],
    sub: ["alloc exec", "exec"],
    valued: ["-task", "-job", "-address", "-region"],
    skip: 1,
    keeps: true,
    elsewhere: "container",
  },
  {
    names: COMPOSE,
    sub: ["compose exec", "compose run", "exec", "container exec"],
    valued: RUN_VALUES,
    skip: 1,
    keeps: true,
    elsewhere: "container",
  },
  {
    names: ["docker-compose", "podman-compose"],
    sub: ["run"],
    valued: RUN_VALUES,
    skip: 1,
    keeps: true,
    elsewhere: "container",
  },
  {
    names: ["lxc", "incus", "multipass"],
    sub: ["exec"],
    valued: ["--env", "--user", "--cwd"],
    skip: 1,
    keeps: true,
    elsewhere: "container",
  },
  {
    names: ["limactl", "colima", "orb"],
    sub: ["shell", "ssh"],
    valued: ["-p", "--profile", "-m"],
    dashes: true,
    keeps: true,
    elsewhere: "container",
  },
  {
    names: ["lima"],
    keeps: true,
    elsewhere: "container",
  },
];

/** Rows by program name. */
export const LAUNCHER_OF: ReadonlyMap<string, readonly Launcher[]> = (() => {
  const map = new Map<string, Launcher[]>();
  for (const row of LAUNCHERS) {
    for (const name of row.names) {
      const rows = map.get(name);
      if (rows) rows.push(row);
      else map.set(name, [row]);
    }
  }
  return map;
})();

/** A table written as `name=program`. */
function pairs(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split(" ").map((pair) => {
      const at = pair.indexOf("=");
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

/** Container engines whose `run IMAGE` starts an image's own program. */
export const ENGINES: ReadonlySet<string> = new Set(ENGINE);

/** Options of `docker run` that take a value. */
export const ENGINE_RUN_VALUES: ReadonlySet<string> = new Set(RUN_VALUES);

/**
 * Images whose entry point is the program itself, by the image's name without
 * registry and tag.
 */
export const IMAGE_PROGRAM: ReadonlyMap<string, string> = pairs(
  "amazon/aws-cli=aws aws-cli/aws-cli=aws hashicorp/terraform=terraform opentofu/opentofu=tofu opentofu=tofu " +
    "hashicorp/vault=vault hashicorp/packer=packer hashicorp/consul=consul hashicorp/nomad=nomad " +
    "bitnami/kubectl=kubectl rancher/kubectl=kubectl lachlanevenson/k8s-kubectl=kubectl alpine/k8s=kubectl " +
    "alpine/helm=helm lachlanevenson/k8s-helm=helm curlimages/curl=curl alpine/curl=curl flyio/flyctl=flyctl " +
    "digitalocean/doctl=doctl minio/mc=mc rclone/rclone=rclone alpine/httpie=http 1password/op=op " +
    "gcr.io/kaniko-project/executor=kaniko kaniko-project/executor=kaniko aquasec/trivy=trivy " +
    "hadolint/hadolint=hadolint",
);

/** Nix packages whose program has another name. */
export const NIX_PROGRAM: ReadonlyMap<string, string> = pairs(
  "awscli=aws awscli2=aws google-cloud-sdk=gcloud azure-cli=az kubernetes-helm=helm opentofu=tofu postgresql=psql " +
    "redis=redis-cli _1password=op _1password-cli=op bitwarden=bw",
);

/** Shells that take `-c STRING` and read a script from their input. */
export const SHELLS: ReadonlySet<string> = new Set(
  ["sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "rbash", "mksh"],
);
