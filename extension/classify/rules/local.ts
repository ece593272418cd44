/**
 * Programs that are neither swamp nor a bypass, by what they are for and
 * whether they change something where they run.
 *
 * @module
 */
import { words } from "../rule.ts";

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
    "just task mage mise asdf rtx nvm fnm volta pyenv rbenv brew apt apt-get aptitude dnf yum apk pacman snap flatpak port choco winget scoop nix nix-env nix-build nix-shell docker docker-compose podman nerdctl buildah colima minikube kind k3d lima limactl vagrant pre-commit husky lint-staged lefthook changeset changesets hugo jekyll mkdocs sphinx-build typedoc protoc buf sqlc prisma drizzle-kit alembic flyway goose dbmate rails next nuxt astro remix expo ng vue-cli create-react-app tailwindcss postcss sass dprint commitlint deno taplo kubeconform kubeval conftest opa checkov tfsec tflint terraform-docs trivy grype syft semgrep snyk gitleaks trufflehog act dagger earthly packwerk rubocop standardrb ansible-lint ansible-galaxy ansible-doc ansible-inventory awslocal localstack tflocal samlocal",
);
add(
  { category: "neutral.other", reads: false },
  "kill pkill killall open xdg-open start osascript launchctl service crontab at useradd usermod passwd mount umount reboot shutdown halt poweroff init iptables ufw firewall-cmd nginx apachectl supervisorctl pm2 certbot ssh-keygen ssh-add ssh-agent ssh-keyscan gpg gpg-agent age keytool tmux screen claude codex gemini aider opencode cursor-agent ngrok ffmpeg convert magick sox youtube-dl yt-dlp pbcopy pbpaste xclip clip say notify-send logger stop-process start-process start-sleep watch xargs parallel",
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
