import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseShell } from "./mod.ts";
import type { Command, ShellParse } from "./types.ts";

const programs = (text: string): string[] =>
  parseShell(text).commands.map((c) => c.program).filter((p) => p !== "");
const find = (parse: ShellParse, program: string): Command => {
  const found = parse.commands.find((c) => c.program === program);
  if (!found) throw new Error(`no ${program}`);
  return found;
};
const argv = (c: Command): string => c.argv.map((w) => w.value).join(" ");

const SHARED = new URL(
  "../../../shared/data/shell-parse.json",
  import.meta.url,
);

interface Case {
  id: string;
  cmd: string;
  expect?: string[][];
  mustFind?: string[];
}

describe("every command of a text is found", () => {
  it.each([
    ["a | b && c || d; e & f", "a b c d e f"],
    ["(a; { b; }) > out", "a b"],
    ["for x in $(a); do b; done", "a b"],
    ["if ! a; then b; elif c; then d; else e; fi", "a b c d e"],
    ["while a; do b; done < <(c)", "c a b"],
    ["case $x in a) one;; *) two;; esac", "one two"],
    ["f() { a; }; f", "a f"],
    ['echo "$(a `b`)"', "echo a b"],
    ["x=${y:-$(a)}", "a"],
    ["diff <(a) <(b)", "diff a b"],
    ["[[ -n $(a) ]] && b", "a b"],
    ["cat <<EOF\n$(a)\nEOF", "cat a"],
    ["cat <<'EOF'\n$(a)\nEOF", "cat"],
    ["# a\nb # c", "b"],
  ])("%s", (text, expected) => {
    expect(programs(text).join(" ")).toBe(expected);
  });
});

describe("launchers come off", () => {
  it.each([
    ["sudo -u ops -E kubectl get po", "kubectl get po", "sudo"],
    [
      "env -u A B=1 timeout -k 5 5m nice -n 3 aws s3 ls",
      "aws s3 ls",
      "env timeout nice",
    ],
    ["xargs -n1 -I{} aws ec2 stop {}", "aws ec2 stop {}", "xargs"],
    ["npx -y wrangler@3 deploy", "wrangler deploy", "npx"],
    ["pnpm dlx @railway/cli@latest up", "@railway/cli up", "pnpm"],
    ["python3 -m twine upload d", "twine upload d", "python3"],
    ["saml2aws exec -a prod -- aws s3 ls", "aws s3 ls", "saml2aws"],
    [
      "devcontainer exec --workspace-folder . aws s3 ls",
      "aws s3 ls",
      "devcontainer",
    ],
    ["aws-vault exec prod -- aws s3 ls", "aws s3 ls", "aws-vault"],
    ["aws-vault exec prod -- terraform apply", "terraform apply", "aws-vault"],
    ["op run --env-file=.env -- aws s3 ls", "aws s3 ls", "op"],
    ["nix run nixpkgs#awscli2 -- s3 ls", "aws s3 ls", "nix"],
    ["uv run --with boto3 python -c x", "python -c x", "uv"],
    ["C:\\\\tools\\\\AWS.exe s3 ls", "C:\\tools\\AWS.exe s3 ls", ""],
  ])("%s", (text, expected, launchers) => {
    const commands = parseShell(text).commands;
    expect(commands).toHaveLength(1);
    const [command] = commands;
    if (!command) throw new Error("none");
    expect(argv(command)).toBe(expected);
    expect(command.launchers.join(" ")).toBe(launchers);
  });

  it("a question about a program is no start of it", () => {
    expect(programs("command -v aws")).toEqual(["command"]);
    expect(programs("sudo -l")).toEqual(["sudo"]);
  });
});

describe("nested command lines are read", () => {
  it.each([
    "bash -lc 'aws s3 ls'",
    'bash -euo pipefail -c "aws s3 ls"',
    "eval aws s3 ls",
    "watch -n 5 'aws s3 ls'",
    "bash <<'EOF'\naws s3 ls\nEOF",
    "cat <<EOF | bash\naws s3 ls\nEOF",
    "echo 'aws s3 ls' | sh",
    "bash <<< 'aws s3 ls'",
    "ssh host 'bash -c \"aws s3 ls\"'",
    "ssh host bash -s <<'EOF'\naws s3 ls\nEOF",
    "docker run --rm alpine sh -c 'aws s3 ls'",
    "docker run --rm amazon/aws-cli:2.1 s3 ls",
    "docker compose exec -T web aws s3 ls",
    "kubectl -n x exec -it deploy/y -- aws s3 ls",
    "find . -name x -exec aws s3 ls \\;",
    "tmux send-keys -t 0 'aws s3 ls' Enter",
    'cmd.exe /c "set A=b&& aws s3 ls"',
    'powershell -NoProfile -Command "aws s3 ls"',
    "wsl -d Ubuntu -- aws s3 ls",
    "nix-shell -p awscli --run 'aws s3 ls'",
    "trap 'aws s3 ls' EXIT",
    "TOOL=aws; $TOOL s3 ls",
    'CMD="aws s3 ls"; $CMD',
    "alias a=aws; a s3 ls",
    '"$(command -v aws)" "$(x)" s3 ls',
    'A=$(which aws); "$A" s3 ls',
    'r() { echo "+ $*"; "$@" && return; }; r aws s3 ls',
    'D="$(pwd)/x"; for f in "$D"/*; do aws "$f" s3 ls; done',
  ])("%s", (text) => {
    expect(argv(find(parseShell(text), "aws"))).toMatch(/ s3 ls$/);
  });

  it("offsets of a nested command are exact where its text is verbatim", () => {
    const text = 'bash -c "echo \\"x\\" && aws s3 ls"';
    const command = find(parseShell(text), "aws");
    expect(text.slice(command.start, command.end)).toBe("aws s3 ls");
  });

  it("says where it runs and what started it", () => {
    const parse = parseShell("ssh host uptime; docker exec box ls");
    expect(find(parse, "uptime").elsewhere).toBe("host");
    expect(find(parse, "ls").elsewhere).toBe("container");
    const within = find(parse, "uptime").within;
    expect(within === undefined ? "" : parse.commands[within]?.program).toBe(
      "ssh",
    );
  });

  it("five shells deep is the end, and said", () => {
    let text = "aws";
    for (let i = 0; i < 6; i++) text = `bash -c ${JSON.stringify(text)}`;
    const parse = parseShell(text);
    expect(parse.complete).toBe(false);
  });
});

describe("other shells", () => {
  it("PowerShell is known by its cmdlets and split", () => {
    const parse = parseShell(
      "if (Test-Path x) { kubectl delete -f x }\n$v = aws s3 ls | ConvertFrom-Json",
    );
    expect(parse.dialect).toBe("powershell");
    expect(parse.complete).toBe(false);
    expect(argv(find(parse, "kubectl"))).toBe("kubectl delete -f x");
    expect(argv(find(parse, "aws"))).toBe("aws s3 ls");
  });

  it("a hash table in PowerShell holds no commands", () => {
    expect(programs("Invoke-RestMethod -Headers @{ aws = 's3' } -Uri u"))
      .toEqual(["invoke-restmethod"]);
  });

  it("cmd's if and for are passed over", () => {
    const parse = parseShell(
      "if exist x aws s3 ls & for %i in (a) do kubectl get %i",
      "cmd",
    );
    expect(parse.commands.map((c) => c.program)).toEqual(["aws", "kubectl"]);
  });

  it("fish's `and` is passed over", () => {
    expect(programs("set -x A b; and aws s3 ls")).toEqual(["set", "aws"]);
  });
});

describe("what is damaged is kept in part", () => {
  it("escapes, NUL and CR are taken out, and offsets still fit", () => {
    const text = "\x1b[1maws\x1b[0m s3\0 ls\r\nkubectl get po";
    const command = find(parseShell(text), "kubectl");
    expect(text.slice(command.start, command.end)).toBe("kubectl get po");
  });

  it("what stands before an unclosed quote is found", () => {
    const parse = parseShell('aws s3 ls; echo "kubectl get');
    expect(parse.complete).toBe(false);
    expect(parse.commands.map((c) => c.program)).toEqual(["aws", "echo"]);
  });

  it("comments are told from words that hold a #", () => {
    const text = "echo a#b '# c' # d\ncat <<E\n# e\nE\n# f";
    expect(parseShell(text).comments.map(([a, b]) => text.slice(a, b)))
      .toEqual(["# d", "# f"]);
  });
});

describe.skipIf(!existsSync(SHARED))(
  "the shared cases (skipped where ../shared is absent)",
  () => {
    const cases: Case[] = existsSync(SHARED)
      ? JSON.parse(readFileSync(SHARED, "utf8"))
      : [];
    it.each(cases.map((c) => [c.id, c] as const))("%s", (id, c) => {
      const parse = parseShell(c.cmd);
      const top = parse.commands.filter((k) =>
        k.depth === 0 && k.words.length > 0 &&
        (k.within === undefined || k.context === "substitution")
      );
      const words = top.map((k) =>
        k.words.map((w) =>
          w.value.includes("‹›") || !w.literal ? "‹›" : w.value
        )
      );
      // Variables of the same text are resolved here.
      if (id === "var-cmd") expect(words).toEqual([["aws", "s3", "ls"]]);
      else if (c.expect) expect(words).toEqual(c.expect);
      for (const program of c.mustFind ?? []) {
        expect(top.map((k) => k.words[0]?.value)).toContain(program);
      }
    });
  },
);

describe("for any text", () => {
  const text = fc.oneof(
    fc.string({ maxLength: 200, unit: "binary" }),
    fc.array(
      fc.constantFrom(
        ..."a aws bash -c ' \" ` $( ) { } ; | & && << EOF \n \\ # $X ${ <( > sudo ssh h if then fi for do done [[ ]] (( )) = \0 \x1b[1m é 🚀 Get-Item @{"
          .split(" "),
        " ",
      ),
      { maxLength: 60 },
    ).map((a) => a.join("")),
  );

  it("it never throws, offsets lie in the text, and it is deterministic", () => {
    fc.assert(
      fc.property(text, (t) => {
        const parse = parseShell(t);
        for (const c of parse.commands) {
          expect(c.start).toBeGreaterThanOrEqual(0);
          expect(c.end).toBeLessThanOrEqual(t.length);
          expect(c.start).toBeLessThanOrEqual(c.end);
          const bodies = c.redirects.flatMap((r) => [r.target, r.body]);
          for (const w of [...c.words, ...c.argv, ...bodies]) {
            if (!w) continue;
            expect(w.start).toBeGreaterThanOrEqual(0);
            expect(w.end).toBeLessThanOrEqual(t.length);
            expect(w.start).toBeLessThanOrEqual(w.end);
          }
          if (c.within !== undefined) {
            expect(parse.commands[c.within]).toBeDefined();
          }
        }
        expect(parseShell(t)).toEqual(parse);
      }),
      { numRuns: 500 },
    );
  });

  it.each(["${|\\", "$(x\\", '"\\', "<(\\", "`\\", "${a:-\\"])(
    "%j: what is unclosed ends where the text does",
    (text) => {
      for (const c of parseShell(text).commands) {
        expect(c.end).toBeLessThanOrEqual(text.length);
        for (const w of c.words) expect(w.end).toBeLessThanOrEqual(text.length);
      }
    },
  );

  it("quoting a command line for a shell hides none of its programs", () => {
    const simple = fc.array(
      fc.constantFrom(
        "aws s3 ls",
        "git status",
        "echo 'x y'",
        'kubectl get po -o "a b"',
      ),
      { minLength: 1, maxLength: 4 },
    ).map((a) => a.join(" && "));
    fc.assert(fc.property(simple, (t) => {
      const quoted = `bash -c '${t.replaceAll("'", "'\\''")}'`;
      expect(programs(quoted)).toEqual(["bash", ...programs(t)]);
    }));
  });
});

describe("launchers without end", () => {
  it.each(["find . -exec ", "docker run x ", "sudo ", "env "])(
    "%s: are followed only so far, and that is said",
    (launcher) => {
      const parse = parseShell(launcher.repeat(3000) + "aws s3 ls");
      expect(parse.commands.length).toBeLessThan(20);
    },
  );
});

describe("what a text makes of itself is bounded", () => {
  const words = (text: string): number =>
    parseShell(text).commands.reduce((n, c) => n + c.words.length, 0);

  it("a variable of many words, used many times", () => {
    const many = "a ".repeat(2000);
    expect(words(`A="${many}"; echo ${"$A ".repeat(9000)}`)).toBeLessThan(
      60_000,
    );
    expect(words(`A="a b"; kubectl $A get`)).toBe(4);
  });

  it("an alias of many words", () => {
    const text = `alias a='${"x ".repeat(2000)}'; a; a; a`;
    const argv = parseShell(text).commands.at(-1)?.argv ?? [];
    expect(argv).toHaveLength(1);
  });

  it("a command line for each of very many words", () => {
    const parse = parseShell(`concurrently ${"'aws s3 ls' ".repeat(2000)}`);
    expect(parse.commands.length).toBeLessThan(300);
    expect(parse.complete).toBe(false);
  });

  it("a limit reached is no broken text: nothing is split again", () => {
    const parse = parseShell(`sudo ${"ssh h ".repeat(3000)}`);
    expect(parse.complete).toBe(false);
    expect(parse.commands.filter((c) => c.depth === 0)).toHaveLength(1);
  });
});

describe("words that need no lexer are read as it reads them", () => {
  it.each([
    ["$A/x", "1/x", true, false],
    ['"$A $B"', "1 2", true, true],
    ["$A$B.txt", "12.txt", true, false],
    ['"$A/$Z"', "1/‹›", false, true],
    ["\\;", ";", true, true],
    ['"$1"', "‹›", false, true],
  ])("%s", (word, value, literal, quoted) => {
    const command = parseShell(`A=1; B=2; echo ${word}`).commands.at(-1);
    expect(command?.words[1]).toMatchObject({ value, literal, quoted });
  });
});
