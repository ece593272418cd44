/**
 * swamp itself, and what is its own.
 *
 * @module
 */
import {
  judgeHandmade,
  judgeSwampRead,
  judgeSwampWrite,
} from "../judge/files.ts";
import { judgeSwamp, judgeSwampSource } from "../judge/secrets.ts";
import { type Rule, words } from "../rule.ts";

/** The rules. */
export const SWAMP_RULES: readonly Rule[] = [
  {
    id: "swamp.cli",
    title: "swamp's command line",
    programs: ["swamp", "swamp-cli", "swamp-linux*", "swamp-darwin*"],
    judge: judgeSwamp,
    examples: {
      swamp: [
        "swamp model search --json",
        "SWAMP_LOG_LEVEL=debug NO_COLOR=1 swamp workflow run p --input environment=staging 2>&1 | tee /tmp/p.log",
        "cd infra && swamp workflow run deploy --input region=us",
        "sudo -u ops swamp vault list-keys prod",
        "~/.swamp/bin/swamp workflow validate x",
        "./bin/swamp data query 'modelName == \"v\"' --select content",
        "npx -y swamp@latest extension search @hetzner --json",
        "for m in a b; do swamp model get $m --json; done",
        "bash -c 'swamp model list'",
        "openssl rand -base64 32 | tr -d '\\n' | swamp vault put prod-secrets SESSION_KEY",
        "watch -n 10 'swamp run history --active'",
        "nohup swamp serve --port 9090 > serve.log 2>&1 &\nsleep 3; curl -sf http://127.0.0.1:9090/healthz",
        'sw() { swamp --repo-dir /srv/infra "$@"; }\nsw model search --json',
        "if ! swamp model get w --json >/dev/null 2>&1; then swamp model create @aws/ec2/instance w --json; fi",
        "tmux send-keys -t 0 'swamp serve' Enter",
        "docker run --rm ghcr.io/x/swamp:latest model search",
        "swamp vault put prod KEY=value",
        "swamp model method run shell-adhoc execute --input 'run=kubectl get pods'",
        'swamp issue bug --title "kubectl apply fails" --json',
        "exec swamp serve --repo-dir /srv/infra",
        "swamp.exe model search",
        "# first look\nswamp model search 网络 --json && swamp workflow run 部署",
      ],
      neutral: [
        "cat swamp.md",
        "grep -rn swamp README.md",
        "test -f swamp && echo yes",
        "which swamp",
        "# swamp model search\ntrue",
      ],
      write: [
        "swamp model get web --json && aws ec2 stop-instances --instance-ids i-1",
      ],
      read: ["swamp data query x && kubectl get pods"],
    },
  },
  {
    id: "swamp.cli-dev",
    title: "swamp run from its source",
    programs: ["deno"],
    judge: judgeSwampSource,
    examples: {
      swamp: [
        "deno run -A /src/swamp/main.ts model search",
        "deno run --allow-all ~/code/swamp/cli/main.ts workflow run x",
      ],
      neutral: ["deno run -A main.ts", "deno test"],
    },
  },
  {
    id: "swampdata.write",
    title: "Writing below `.swamp/` without swamp",
    programs: ["*"],
    judge: judgeSwampWrite,
    examples: {
      write: [
        "rm -rf .swamp/data/web",
        "sed -i 's/a/b/' .swamp/definitions/x.yaml",
        "echo '{}' > .swamp/data/x.json",
        "jq '.a=1' .swamp/data/w/latest/raw > /tmp/x && mv /tmp/x .swamp/data/w/latest/raw",
        "cp x.json .swamp/data/w/1/raw",
        "tee .swamp/data/x < y",
        "chmod -R u+w .swamp/data",
        "find .swamp -name '*.lock' -delete",
        "sqlite3 .swamp/data/_catalog.db 'delete from items'",
        "{ cat a; } > .swamp/x",
        "find .swamp/data -mtime +30 -exec rm -r {} +",
        "find .swamp/data -name x | head | xargs rm",
        "pushd .swamp/data && rm -rf web && popd",
        "cd .swamp && echo 4 > data/web/latest",
        "curl -sSo .swamp/data/x https://files.example/x",
        "pandoc a.md -o .swamp/data/x",
        "python3 -c \"open('.swamp/data/x','w').write('a')\"",
      ],
      neutral: [
        "rm -rf .swamp/datastore-bundles/",
        "echo .swamp/ >> .gitignore",
        "mkdir -p ~/.swamp/bin",
        "cd .swamp && rm -rf vault-bundles",
      ],
    },
  },
  {
    id: "swampdata.read",
    title: "Reading below `.swamp/` without swamp",
    programs: ["*"],
    sensitive: true,
    judge: judgeSwampRead,
    examples: {
      read: [
        "cat .swamp/data/web/latest/raw | jq .",
        "grep -r instanceId .swamp/data",
        "cd infra && rg -l 'i-0abc' .swamp/ | head; tail -n 3 .swamp/audit/c.jsonl",
        "find .swamp -name '*.yaml'",
        "cd .swamp/data && cat web/latest/raw",
        "jq .x .swamp/data/web/latest/raw > out.json",
        "cp .swamp/data/web/latest/raw out.json",
        "sqlite3 .swamp/data/_catalog.db 'select * from items'",
        "(cd .swamp && sqlite3 data/_catalog.db .tables)",
        "find . -path './.swamp/data/*' -name raw | xargs jq .x",
        'D="$PWD/.swamp/out"; for f in "$D"/*; do python3 -m json.tool "$f"; done',
        "python3 -c \"import json; print(json.load(open('.swamp/data/w/latest/raw')))\"",
        "while read -r l; do echo $l; done < .swamp/data/x",
      ],
      neutral: [
        "ls .swamp.yaml",
        "cat .swamp.yaml && grep -n swamp .gitignore",
        "ls -la .swamp/data/ && rm -rf .swamp/datastore-bundles/",
        "grep -n '.swamp/' .gitignore",
        "find . -path './.swamp/*' -prune -o -name '*.ts' -print",
        "git status .swamp",
        "test -d .swamp/data && echo yes",
        "rsync -a --exclude .swamp ./ ../copy/ && tar --exclude .swamp -czf x.tgz .",
        "find . -not -path './.swamp/*' -name '*.ts'",
        "(cd .swamp/data && ls); rm -rf dist",
        "cd .swamp && cd .. && rm -rf dist",
      ],
    },
  },
  {
    id: "swampdef.handmade",
    title: "A definition written from scratch, which `swamp … create` makes",
    programs: ["*"],
    judge: judgeHandmade,
    examples: {
      write: [
        "cat > models/aws/web.yaml <<'EOF'\ntype: aws\nEOF",
        'echo "id: $(uuidgen)" > workflows/x.yaml',
      ],
      neutral: [
        "cat models/web.yaml",
        "sed -i 's/a/b/' models/web.yaml",
        "cat > docs/models.md <<'EOF'\nx\nEOF",
        "mkdir -p k8s && touch k8s/deploy.yaml",
      ],
    },
  },
];

// Programs that are neither swamp nor a bypass, by what they are for and
// whether they change something where they run.

/** What a neutral program is for. */
export interface Local {
  /** Its category. */
  category:
    | "neutral.read"
    | "neutral.edit"
    | "neutral.vcs"
    | "neutral.build"
    | "neutral.test"
    | "neutral.other";
  /** It changes nothing where it runs: matters on another host. */
  reads: boolean;
  /** Verbs that change nothing, for programs that can do both. */
  readVerbs?: ReadonlySet<string>;
}

const table = new Map<string, Local>();
function add(local: Local, programs: string): void {
  for (const program of words(programs)) table.set(program, local);
}

add(
  { category: "neutral.read", reads: true },
  "cat less more head tail bat batcat nl tac rev wc sort uniq cut tr od xxd hexdump strings base64 base32 md5sum md5 sha1sum sha256sum shasum cksum b2sum file stat diff cmp comm paste column fold fmt expand join " +
    "grep egrep fgrep zgrep rg ag ack ripgrep awk gawk mawk jq yq gojq jaq dasel xq fx gron mlr xsv csvcut csvlook htmlq pup " +
    "ls ll la l exa eza lsd tree du df find fd fdfind locate mdfind which whereis whence type readlink realpath basename dirname pwd " +
    "ps pgrep top htop btop pstree lsof netstat ss ifconfig ip arp route iostat vmstat free uptime uname hostname hostnamectl whoami id groups who w last users lscpu lsblk lsusb lspci lsmod dmesg journalctl sw_vers sysctl arch nproc getconf locale date cal env printenv tty stty tput " +
    "man info help tldr apropos whatis history jobs dig nslookup host ping traceroute tracepath mtr whois nc ncat netcat telnet openssl nmap getent " +
    "get-content gc get-childitem gci dir select-string sls get-item gi get-process gps get-service test-path get-date get-location get-command gcm get-help measure-object where-object select-object sort-object format-table format-list out-string convertfrom-json convertto-json write-output write-host echo.exe findstr systeminfo tasklist ver " +
    "shellcheck hadolint yamllint actionlint tokei cloc scc pygmentize glow view zcat zless xmllint plutil otool nm objdump readelf ldd identify exiftool ffprobe pdftotext " +
    "test [ [[ true false : sleep wait seq yes expr bc printf echo print cd pushd popd dirs read set unset shift return exit break continue local let declare typeset export readonly source . eval trap alias unalias hash ulimit umask times command getopts mapfile readarray compgen complete bind enable shopt setopt exec nohup",
);
for (
  const program of words(
    "test [ [[ true false : sleep wait seq yes expr bc printf echo print cd pushd popd dirs read set unset shift return exit break continue local let declare typeset export readonly source . eval trap alias unalias hash ulimit umask times command getopts mapfile readarray compgen complete bind enable shopt setopt exec nohup sh bash zsh dash ksh fish cmd powershell pwsh write-output write-host",
  )
) {
  table.set(program, { category: "neutral.other", reads: true });
}
add(
  { category: "neutral.edit", reads: false },
  "sed gsed perl tee touch mkdir rm rmdir mv cp ln install chmod chown chgrp truncate dd shred unlink patch ed ex vim vi nvim nano emacs code cursor subl apply_patch applypatch dos2unix unix2dos iconv split csplit sponge tar zip unzip gzip gunzip bzip2 xz zstd 7z rename trash " +
    "set-content add-content out-file remove-item ri del erase move-item copy-item new-item ni copy move xcopy robocopy md rd clear-content rename-item expand-archive compress-archive attrib icacls mktemp rsync",
);
add(
  { category: "neutral.test", reads: false },
  "vitest jest mocha ava tap pytest py.test nosetests tox nox unittest rspec minitest phpunit pest bats shellspec ctest gtest playwright cypress karma jasmine gotestsum nextest ginkgo wtr storybook-test newman k6 artillery ab wrk hey vegeta locust coverage nyc c8 codecov behave cucumber detox maestro xcodebuild-test testcafe",
);
add(
  { category: "neutral.build", reads: false },
  "npm pnpm yarn bun bunx npx node-gyp corepack turbo nx lerna rush tsc tsup tsdown esbuild rollup webpack vite rspack parcel swc babel eslint prettier biome oxlint oxfmt stylelint knip ruff black isort mypy pyright flake8 pylint pip pip3 pipx uv poetry pdm pipenv hatch conda mamba virtualenv venv rye " +
    "cargo rustc rustup rustfmt clippy-driver go gofmt goimports golangci-lint gofumpt make gmake cmake ninja meson bazel bazelisk buck2 mvn mvnw gradle gradlew ant sbt mill javac java kotlinc scalac dotnet msbuild nuget swift xcodebuild xcrun gcc g++ clang clang++ cc ld ar zig gem bundle rake composer mix elixir rebar3 cabal stack ghc opam dune " +
    "just task mage mise asdf rtx nvm fnm volta pyenv rbenv brew apt " +
    "apt-get aptitude dnf yum apk pacman snap flatpak port choco winget " +
    "scoop nix nix-env nix-build nix-shell docker docker-compose podman " +
    "nerdctl buildah colima minikube kind k3d lima limactl vagrant " +
    "pre-commit husky lint-staged lefthook changeset changesets hugo " +
    "jekyll mkdocs sphinx-build typedoc protoc buf sqlc prisma " +
    "drizzle-kit alembic flyway goose dbmate rails next nuxt astro remix " +
    "expo ng vue-cli create-react-app tailwindcss postcss sass dprint " +
    "commitlint deno taplo kubeconform kubeval conftest opa checkov " +
    "tfsec tflint terraform-docs trivy grype syft semgrep snyk gitleaks " +
    "trufflehog act dagger earthly packwerk rubocop standardrb " +
    "ansible-lint ansible-galaxy ansible-doc ansible-inventory awslocal " +
    "localstack tflocal samlocal",
);
add(
  { category: "neutral.other", reads: false },
  "kill pkill killall open xdg-open start osascript launchctl service " +
    "crontab at useradd usermod passwd mount umount reboot shutdown halt " +
    "poweroff init iptables ufw firewall-cmd nginx apachectl " +
    "supervisorctl pm2 certbot ssh-keygen ssh-add ssh-agent ssh-keyscan " +
    "gpg gpg-agent age keytool tmux screen claude codex gemini aider " +
    "opencode cursor-agent ngrok ffmpeg convert magick sox youtube-dl " +
    "yt-dlp pbcopy pbpaste xclip clip say notify-send logger " +
    "stop-process start-process start-sleep watch xargs parallel",
);

const SPLIT: readonly [string, Local["category"], string][] = [
  [
    "git",
    "neutral.vcs",
    "status log diff show branch remote rev-parse ls-files ls-remote ls-tree cat-file blame grep describe shortlog reflog config tag stash-list for-each-ref merge-base name-rev rev-list count-objects check-ignore show-ref symbolic-ref var whatchanged cherry range-diff verify-commit fsck fetch worktree-list --version help archive diff-tree bisect-log notes-show",
  ],
  ["svn", "neutral.vcs", "status log diff info list cat blame"],
  ["hg", "neutral.vcs", "status log diff summary cat annotate"],
  ["jj", "neutral.vcs", "status log diff show st"],
  [
    "docker",
    "neutral.build",
    "ps logs inspect images image version info stats top port diff history search events ls context system container volume network compose",
  ],
  [
    "systemctl",
    "neutral.other",
    "status is-active is-enabled is-failed list-units list-unit-files list-timers show cat list-dependencies get-default list-sockets --version",
  ],
  ["service", "neutral.other", ""],
  ["crontab", "neutral.other", "-l"],
  [
    "pm2",
    "neutral.other",
    "list ls status logs log show info describe monit jlist",
  ],
  ["nginx", "neutral.other", "-t -T -v -V"],
  ["supervisorctl", "neutral.other", "status tail avail"],
  ["certbot", "neutral.other", "certificates show_account"],
  ["apt", "neutral.build", "list show search policy"],
  ["dpkg", "neutral.build", "-l -L -s --list"],
  ["rpm", "neutral.build", "-q -qa -qi -ql"],
  [
    "npm",
    "neutral.build",
    "ls list view outdated audit root bin prefix --version config explain why",
  ],
  ["pip", "neutral.build", "list show freeze check --version"],
  ["iptables", "neutral.other", "-L -S"],
  ["ufw", "neutral.other", "status"],
  ["zpool", "neutral.other", "status list"],
  ["zfs", "neutral.other", "list get"],
  ["lvs", "neutral.read", ""],
  ["smartctl", "neutral.read", ""],
];
for (const [program, category, verbs] of SPLIT) {
  table.set(program, {
    category,
    reads: false,
    readVerbs: new Set(words(verbs)),
  });
}
for (const program of ["podman", "nerdctl"]) {
  const docker = table.get("docker");
  if (docker) table.set(program, docker);
}

/** What is known of a neutral program. */
export const LOCAL: ReadonlyMap<string, Local> = table;
