import { describe, expect, it } from "vitest";
import { parseShell } from "../shell/mod.ts";
import { RUNNERS } from "./runners.ts";
import { findTestRun, testOutcome } from "./tests.ts";

const run = (command: string) => findTestRun(parseShell(command));

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
    ["npm test", true],
    ["cd web && npm test", true],
    ["CI=1 npx vitest run", true],
    ["npm test | tail -5", false],
    ["npm test; echo done", false],
    ["npm run build && npm test", false],
  ])("in `%s`: its exit code is the runner's own: %s", (command, own) => {
    expect(run(command as string)?.exitTells).toBe(own);
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
  ])("of %s: %j is %s", (runner, output, passed) => {
    expect(testOutcome(runner as string, output as string)).toBe(passed);
  });

  it("far back in a long output is not looked for", () => {
    expect(testOutcome("go", `FAIL\n${"x\n".repeat(20_000)}`)).toBe(null);
  });
});
