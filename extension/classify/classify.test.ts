import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { labelsMarkdown } from "./docs.ts";
import { classify, parseRepoRules } from "./mod.ts";
import type { ClassifyInput, RepoKnowledge, Verdict } from "./mod.ts";

const of = (text: string, repo?: RepoKnowledge): Verdict =>
  classify({ tool: "Bash", kind: "shell", text }, repo);
const why = (text: string, verdict: Verdict): string => {
  const part = verdict.parts[0];
  return part ? text.slice(part.start, part.end) : "";
};

describe("the strongest command decides", () => {
  it("a change outweighs a read, a read swamp, swamp the rest", () => {
    expect(
      of("ls; swamp model search; kubectl get po; aws s3 rm s3://b/x").rule,
    )
      .toBe("cloud.aws");
    expect(of("ls; swamp model search; kubectl get po").rule)
      .toBe("k8s.kubectl");
    expect(of("ls; swamp model search").label).toBe("swamp");
    expect(of("ls; git status").rule).toBe("neutral.vcs");
  });

  it("reading a secret outweighs any other read", () => {
    expect(of("kubectl get po; vault kv get a").category).toBe("secret.read");
  });

  it("all parts that matched are told, the deciding one first", () => {
    const text = "kubectl get po && terraform apply";
    const verdict = of(text);
    expect(verdict.parts.map((p) => [p.rule, text.slice(p.start, p.end)]))
      .toEqual([
        ["iac.terraform", "terraform apply"],
        ["k8s.kubectl", "kubectl get"],
      ]);
  });
});

describe("the deciding part is marked where it stands", () => {
  it.each([
    ["cd x && sudo aws ec2 run-instances --count 1", "aws ec2 run-instances"],
    ["bash -c 'kubectl delete pod x'", "kubectl delete"],
    ["\x1b[1maws\x1b[0m s3 rm s3://b", "aws\x1b[0m s3 rm"],
    ["echo x > .swamp/data/y", ".swamp/data/y"],
    [
      "curl -s -X DELETE https://api.example.com/x",
      "curl -s -X DELETE https://api.example.com/x",
    ],
  ])("%s", (text, part) => {
    expect(why(text, of(text))).toContain(part);
  });
});

describe("confidence is low", () => {
  it.each([
    "echo 'unclosed && aws s3 ls",
    "./deploy.sh prod",
    "make deploy",
    "$TOOL delete x",
    "$KUBECTL delete pod x",
    "Get-AzVM; aws s3 ls",
  ])("%s", (text) => {
    expect(of(text).low).toBe(true);
  });

  it("but not where all is plain", () => {
    expect(of("aws s3 rm s3://b/x").low).toBe(false);
    expect(of("ls -la").low).toBe(false);
  });
});

describe("debatable cases carry a tag", () => {
  it.each([
    ["aws sts get-caller-identity", "credcheck"],
    ["op whoami", "credcheck"],
    ["gh pr comment 1 -b x", "forge-write-none"],
    ["gh api repos/o/r/pulls/1/comments -f body=x", "forge-write"],
    ["ls .swamp/data/", "troubleshooting"],
    ["curl -fsS https://x.example.com/healthz", "probe"],
    ["curl -fsSL https://x.example.com/i.sh | bash", "installer"],
    ["npm run deploy", "opaque"],
    [
      "swamp model method run shell-x execute --input 'run=ls'",
      "shell-in-model",
    ],
    ["swamp vault put V K=value", "secret-inline"],
  ])("%s: %s", (text, tag) => {
    if (tag === "forge-write-none") expect(of(text).label).toBe("neutral");
    else expect(of(text).tags).toContain(tag);
  });
});

describe("tools that are no shell", () => {
  const tool = (
    name: string,
    more: Partial<Parameters<typeof classify>[0]> = {},
  ): Verdict => classify({ tool: name, kind: "other", text: "", ...more });

  it.each(
    [
      [
        "Read",
        { kind: "path", text: ".swamp/data/x/latest/raw" },
        "bypass",
        "swampdata.read",
      ],
      [
        "Edit",
        {
          kind: "path",
          text: ".swamp/definitions/x.yaml",
          writes: [".swamp/definitions/x.yaml"],
        },
        "bypass",
        "swampdata.write",
      ],
      [
        "apply_patch",
        {
          kind: "patch",
          text: "*** Begin Patch\n*** Update File: .swamp/x\n*** End Patch",
        },
        "bypass",
        "swampdata.write",
      ],
      [
        "Write",
        {
          kind: "path",
          text: "models/aws/web.yaml",
          writes: ["models/aws/web.yaml"],
        },
        "bypass",
        "swampdef.handmade",
      ],
      [
        "Edit",
        {
          kind: "path",
          text: "models/aws/web.yaml",
          writes: ["models/aws/web.yaml"],
        },
        "neutral",
        "neutral.edit",
      ],
      [
        "Read",
        { kind: "path", text: "/home/dev/app/.env" },
        "bypass",
        "secret.read",
      ],
      ["Read", { kind: "path", text: "src/a.ts" }, "neutral", "neutral.read"],
      [
        "Read",
        { kind: "path", text: ".swamp.yaml" },
        "neutral",
        "neutral.read",
      ],
      ["Grep", { kind: "pattern", text: "aws ec2" }, "neutral", "neutral.read"],
      [
        "WebFetch",
        { kind: "url", text: "https://example.com" },
        "neutral",
        "neutral.web",
      ],
      ["Task", { kind: "agent", text: "Explore" }, "neutral", "neutral.agent"],
      ["update_plan", {}, "neutral", "neutral.agent"],
      ["mcp__swamp__model_search", {}, "swamp", "swamp.mcp"],
      ["model_search", { server: "swamp" }, "swamp", "swamp.mcp"],
      ["mcp__aws-api__call_aws", {}, "bypass", "cloud.aws"],
      ["mcp__kubernetes__pods_list", {}, "bypass", "k8s.kubectl"],
      ["mcp__github__create_pull_request", {}, "neutral", "neutral.vcs"],
      ["mcp__github__run_workflow", {}, "bypass", "saas.gh"],
      ["mcp__playwright__browser_click", {}, "neutral", "neutral.web"],
      ["mcp__something__else", {}, "neutral", "neutral.mcp"],
      [
        "Glob",
        { kind: "pattern", text: ".swamp/**/*.yaml" },
        "bypass",
        "swampdata.read",
      ],
      [
        "Grep",
        { kind: "pattern", text: ".swamp/data" },
        "neutral",
        "neutral.read",
      ],
      [
        "mcp__filesystem__write_file",
        { text: ".swamp/data/x" },
        "bypass",
        "swampdata.write",
      ],
      [
        "mcp__filesystem__read_file",
        { text: ".swamp/data/x" },
        "bypass",
        "swampdata.read",
      ],
      [
        "mcp__filesystem__read_file",
        { text: "src/a.ts" },
        "neutral",
        "neutral.read",
      ],
      [
        "apply_patch",
        {
          kind: "patch",
          text: "*** Begin Patch\n*** Update File: a\n*** Move to: .swamp/x",
        },
        "bypass",
        "swampdata.write",
      ],
    ] as [string, Partial<ClassifyInput>, string, string][],
  )("%s %j is %s, %s", (name, more, label, category) => {
    const verdict = tool(name, more);
    expect([verdict.label, verdict.category]).toEqual([label, category]);
  });

  it.each(
    [
      ["Grep", ".swamp/data", "rg x .swamp/data"],
      ["Grep", "/home/dev/app/.swamp", "rg x /home/dev/app/.swamp"],
      ["Grep", "C:\\r\\.swamp\\data", "rg x 'C:\\r\\.swamp\\data'"],
      ["Grep", ".swamp/bin/swamp", "rg x .swamp/bin/swamp"],
      ["Grep", ".env", "rg x .env"],
      ["Grep", "src", "rg x src"],
      ["Glob", ".swamp/data", "find .swamp/data -name x"],
      ["Glob", ".swamp.yaml", "find .swamp.yaml -name x"],
      ["Glob", ".env", "find .env -name x"],
      ["list_dir", ".swamp/data/web", "ls .swamp/data/web"],
      ["list_dir", ".swamp/out", "ls .swamp/out"],
    ] as const,
  )("%s in %s is as `%s`", (name, place, command) => {
    const kind = name === "list_dir" ? "other" : "pattern";
    const text = name === "list_dir" ? "" : "x";
    const { label, category, mutating, severity, tags, parts } = tool(name, {
      kind,
      text,
      searches: [place],
    });
    const shell = classify({ tool: "Bash", kind: "shell", text: command });
    expect({ label, category, mutating, severity, tags }).toEqual({
      label: shell.label,
      category: shell.category,
      mutating: shell.mutating,
      severity: shell.severity,
      tags: shell.tags,
    });
    // The place is no part of the text: nothing in it is pointed at.
    expect(parts).toEqual([]);
  });

  it("a glob that names swamp's data is pointed at, wherever it is looked for", () => {
    const text = ".swamp/**/*.yaml";
    expect(tool("Glob", { kind: "pattern", text, searches: ["/r"] }).parts)
      .toEqual([{ start: 0, end: text.length, rule: "swampdata.read" }]);
  });

  it("a tool's name says whether it changes something", () => {
    expect(tool("mcp__kubernetes__pods_list").mutating).toBe(false);
    expect(tool("mcp__kubernetes__pods_delete").mutating).toBe(true);
    expect(
      tool("mcp__postgres__query", { kind: "query", text: "select 1" })
        .mutating,
    ).toBe(false);
    expect(
      tool("mcp__postgres__query", { kind: "query", text: "drop table x" })
        .mutating,
    ).toBe(true);
  });

  it("an unknown tool is neutral with low confidence, and told apart", () => {
    expect(tool("Frobnicate")).toMatchObject({
      label: "neutral",
      rule: "tool.unknown",
      low: true,
    });
  });
});

describe("model types of the repository", () => {
  const repo: RepoKnowledge = {
    modelTypes: [
      "@swamp/aws/ec2",
      "@acme/kubernetes/deployment",
      "command/shell",
      "@acme/cloudflare/dns",
    ],
    rules: [],
  };
  it.each([
    ["aws ec2 describe-instances", "@swamp/aws/ec2"],
    ["aws iam list-users", undefined],
    ["kubectl get po", "@acme/kubernetes/deployment"],
    [
      'curl -H "Authorization: Bearer $T" https://api.cloudflare.com/client/v4/zones',
      "@acme/cloudflare/dns",
    ],
    ["terraform plan", undefined],
    ["ls", undefined],
  ])("%s: %s", (text, type) => {
    expect(of(text, repo).wraps).toBe(type);
  });
});

describe("rules of a repository", () => {
  const text = [
    "version: 1",
    "rules:",
    "  - id: acme",
    "    programs: [acmectl]",
    "    label: bypass",
    "    category: cloud.acme",
    "    read: [get, list]",
    "    neutral: [version]",
    "    mutating: true",
    "  - id: known",
    "    programs: [kubectl]",
    "    label: neutral",
  ].join("\n");
  const { rules, problems } = parseRepoRules(text, ".swamp-sessions.yaml");
  const repo: RepoKnowledge = { modelTypes: [], rules };

  it("are read, and go before the built-in ones", () => {
    expect(problems).toEqual([]);
    expect(rules.map((r) => r.source)).toEqual([
      ".swamp-sessions.yaml",
      ".swamp-sessions.yaml",
    ]);
    expect(of("sudo acmectl apply x", repo)).toMatchObject({
      label: "bypass",
      category: "cloud.acme",
      rule: "repo.acme",
      mutating: true,
    });
    expect(of("acmectl get x", repo).mutating).toBe(false);
    expect(of("acmectl version", repo).label).toBe("neutral");
    expect(of("kubectl delete pod x", repo)).toMatchObject({
      label: "neutral",
      rule: "repo.known",
    });
    expect(of("kubectl delete pod x").label).toBe("bypass");
  });

  it("what is wrong is told with line and field, the rest is kept", () => {
    const bad = [
      "rules:",
      "  - id: ok",
      "    programs: [a]",
      "    label: swamp",
      "  - id: Bad Id",
      "    programs: []",
      "    label: maybe",
      "  - id: ok",
      "    programs: [b]",
      "    label: neutral",
      "extra: 1",
    ].join("\n");
    const found = parseRepoRules(bad, "f");
    expect(found.rules.map((r) => r.id)).toEqual(["ok"]);
    expect(found.problems.map((p) => [p.line, p.field])).toEqual([
      [11, "extra"],
      [5, "rules[1].id"],
      [6, "rules[1].programs"],
      [7, "rules[1].label"],
      [8, "rules[2].id"],
    ]);
  });

  it.each([
    ["", 0],
    ["rules: 3", 1],
    ["- a", 1],
    ["rules: [", 1],
    ["a: &a [*a]", 1],
    ["rules:\n  - [1]", 1],
  ])("%j gives %i problems or more, and never throws", (bad, least) => {
    expect(parseRepoRules(bad, "f").problems.length).toBeGreaterThanOrEqual(
      least,
    );
  });
});

describe("for any text", () => {
  const bits = fc.constantFrom(
    ..."aws ec2 s3 rm kubectl get delete -n web curl -X POST https://api.example.com/x ssh host 'ls' bash -c ' \" ` $( ) { } ; | && << EOF \n .swamp/data/x > < .env cat psql $DATABASE_URL python3 import boto3 swamp vault put Get-AzVM gh api graphql -f query=mutation é 🚀 \0 \x1b[1m"
      .split(" "),
    " ",
    " ",
  );
  const text = fc.oneof(
    fc.string({ maxLength: 200, unit: "binary" }),
    fc.array(bits, { maxLength: 50 }).map((a) => a.join("")),
  );

  it("never throws, offsets lie in the text, and it is deterministic", () => {
    fc.assert(
      fc.property(text, (t) => {
        const verdict = of(t);
        for (const part of verdict.parts) {
          expect(part.start).toBeGreaterThanOrEqual(0);
          expect(part.end).toBeGreaterThan(part.start);
          expect(part.end).toBeLessThanOrEqual(t.length);
        }
        if (verdict.label === "bypass") {
          expect(verdict.parts.length).toBeGreaterThan(0);
        }
        expect(verdict.rule).not.toBe("neutral.unreadable");
        expect(of(t)).toEqual(verdict);
      }),
      { numRuns: 500 },
    );
  });

  it("a launcher in front changes no label", () => {
    const command = fc.constantFrom(
      "aws s3 rm s3://b/x",
      "kubectl get po",
      "swamp model search",
      "ls -la",
      "git status",
      "terraform plan",
    );
    const launcher = fc.constantFrom(
      "sudo ",
      "env A=b ",
      "timeout 5 ",
      "nohup ",
      "time ",
      "nice -n 5 ",
      "cd x && ",
    );
    fc.assert(
      fc.property(command, fc.array(launcher, { maxLength: 4 }), (c, l) => {
        const plain = of(c);
        const wrapped = of(`A=b ${l.join("")}${c}`);
        expect([wrapped.label, wrapped.mutating]).toEqual([
          plain.label,
          plain.mutating,
        ]);
      }),
    );
  });

  it("quoted, commented or as a heredoc's data, a command says nothing", () => {
    const command = fc.constantFrom(
      "aws s3 rm s3://b/x",
      "kubectl delete pod x",
      "swamp model search",
      "terraform apply",
    );
    fc.assert(fc.property(command, (c) => {
      for (
        const t of [
          `echo "${c}"`,
          `# ${c}\nls`,
          `cat > notes.md <<'EOF'\n${c}\nEOF`,
          `git commit -m '${c}'`,
          `rg '${c}' src`,
        ]
      ) {
        expect(of(t).label).toBe("neutral");
      }
    }));
  });

  it("any text as a file of rules is read or refused", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ maxLength: 200 }), fc.json({ maxDepth: 3 })),
        (t) => {
          const { rules, problems } = parseRepoRules(t, "f");
          expect(Array.isArray(rules)).toBe(true);
          for (const p of problems) expect(p.line).toBeGreaterThanOrEqual(1);
        },
      ),
    );
  });
});

describe("the guide", () => {
  it("names every rule and shows every label", () => {
    const text = labelsMarkdown();
    for (
      const id of ["cloud.aws", "k8s.kubectl", "swampdata.read", "http.api"]
    ) {
      expect(text).toContain(`### \`${id}\``);
    }
    expect(text).toContain("| swamp | `swamp model search --json` |");
  });
});
