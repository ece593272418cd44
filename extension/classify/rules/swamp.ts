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
import { judgeSwamp, judgeSwampSource } from "../judge/swamp.ts";
import type { Rule } from "../rule.ts";

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
