import { describe, expect, it } from "vitest";
import { parseShell } from "../shell/mod.ts";
import { RUNNERS } from "./runners.ts";
import { findTestRun, testOutcome } from "./tests.ts";

const run = (command: string) => findTestRun(parseShell(command), command);

describe.each(RUNNERS.map((r) => ({ name: r.name, runner: r })))(
  "the runner $name",
  ({ name, runner }) => {
    it("is found in its examples, and not where it only looks like it", () => {
      for (const command of runner.examples.hit) {
        expect([command, run(command)?.runner]).toEqual([command, name]);
      }
      for (const command of runner.examples.miss ?? []) {
        expect([command, run(command)]).toEqual([command, undefined]);
      }
    });
  },
);

describe("a test run", () => {
  it.each([
    ["npm test", "all"],
    ["cd web && npm test", "all"],
    ["CI=1 npx vitest run", "all"],
    ["corepack pnpm exec vitest run a.test.ts", "all"],
    ["rg -n x src; npm test 2>&1", "all"],
    ["npm run build && npm test", "zero"],
    ["mise run fmt && mise run test:ci && git push", "zero"],
    ["npm test > out.txt 2>&1 && echo done", "zero"],
    ["npm test | tail -5", undefined],
    ["npm test; echo done", undefined],
    ["npm test || true", undefined],
    ["npm run lint || npm test", undefined],
    ["npm test &", undefined],
  ])("in `%s`: of its exit code the runner's own is: %s", (command, own) => {
    expect(run(command as string)?.exitTells).toBe(own);
  });

  it.each([
    ["npm test", undefined],
    ["npm test 2>&1 | tail -20", undefined],
    ["npm test | tee out.txt | tail -3", undefined],
    ["go test ./... | grep -v skip", true],
    ["npm test 2>&1 | head -50", true],
    ["go test -json ./... | tee o.jsonl | python3 sum.py", true],
  ])("in `%s`: its output is filtered: %s", (command, filtered) => {
    expect(run(command as string)?.filtered).toBe(filtered);
  });

  it.each([
    'echo "npm test"',
    "# npm test",
    "grep -rn 'pytest' .",
    "cat <<'EOF'\nnpm test\nEOF",
    "npx vitest --version",
    "git commit -m 'make test pass'",
  ])("is not in `%s`", (command) => {
    expect(run(command)).toBeUndefined();
  });
});

describe("an output's own summary", () => {
  it.each([
    ["vitest", " Test Files  3 passed (3)\n      Tests  12 passed (12)", true],
    ["vitest", "      Tests  1 failed | 11 passed (12)", false],
    ["jest", "Tests:       2 failed, 3 passed, 5 total", false],
    ["jest", "Tests:       5 passed, 5 total", true],
    ["pytest", "===== 3 passed, 1 warning in 0.12s =====", true],
    ["pytest", "===== 1 failed, 2 passed in 0.12s =====", false],
    ["cargo", "test result: ok. 5 passed; 0 failed; 0 ignored", true],
    ["cargo", "test result: FAILED. 4 passed; 1 failed", false],
    ["go", "--- FAIL: TestX (0.00s)\nFAIL\nFAIL\texample/x\t0.3s", false],
    ["go", "ok  \texample/x\t0.3s", true],
    ["deno", "ok | 12 passed | 0 failed (1s)", true],
    ["deno", "FAILED | 11 passed | 1 failed (1s)", false],
    ["rspec", "12 examples, 0 failures", true],
    [
      "package script",
      "\u001b[32m 40 passing\u001b[0m (2s)\n 2 failing",
      false,
    ],
    ["package script", "Tests: 42 passed, 42 total", true],
    ["package script", "no summary here", null],
    ["unheard of", "12 passed", true],
    ["package script", "log: retried after 3 failed attempts", null],
    ["task", "ok  \texample/x\t0.3s\n--- FAIL: TestY", false],
  ])("of %s: %j is %s", (runner, output, passed) => {
    expect(testOutcome(runner as string, output as string)).toBe(passed);
  });

  it("far back in a long output is not looked for", () => {
    expect(testOutcome("go", `FAIL\n${"x\n".repeat(20_000)}`)).toBe(null);
  });
});
