/**
 * Test runners: how to recognise a run in a parsed command, and what its
 * output's own summary line says. Data, so that a runner is one row.
 *
 * @module
 */

/** One test runner. */
export interface Runner {
  /** Its name, as shown. */
  name: string;
  /** Programs that are it, with the words that must follow (any one list). */
  forms?: readonly (readonly string[])[];
  /** Programs that run a project's own scripts: one named for tests is a run. */
  scripts?: readonly string[];
  /** Programs that take goals: one named for tests, among any others, is a run. */
  goals?: readonly string[];
  /** Its scripts may run any runner: each one's summary counts. */
  any?: true;
  /** A summary line that says some test failed. */
  failed?: RegExp;
  /** A summary line that says all passed. */
  passed?: RegExp;
  /** Commands that are a run, and ones that are none. */
  examples: { hit: readonly string[]; miss?: readonly string[] };
}

/** `3 failed`, `2 passed (5s)` on a line of its own. */
const COUNTED_FAIL = /^\s{0,20}[1-9]\d{0,6} (?:failed|failing|failures?)\b/m;
const COUNTED_PASS = /^\s{0,20}[1-9]\d{0,6} (?:passed|passing)\b/m;

/**
 * The table. In `forms`, the first word is the program and the others are its
 * first words without flags.
 */
export const RUNNERS: readonly Runner[] = [
  {
    name: "package script",
    scripts: ["npm", "pnpm", "yarn", "bun", "composer"],
    forms: [["npm", "t"], ["npm", "tst"], ["deno", "task", "test"]],
    any: true,
    failed: COUNTED_FAIL,
    passed: COUNTED_PASS,
    examples: {
      hit: [
        "npm test",
        "pnpm run test:unit",
        "yarn test --watch=false",
        "pnpm --filter web test",
        "yarn workspace web test",
        "npm run e2e",
        "bun test",
        "deno task test",
      ],
      miss: [
        "npm run build",
        'echo "npm test"',
        "npm install test",
        "npm run test-data",
        "npm view test",
      ],
    },
  },
  {
    name: "task",
    scripts: ["mise", "just", "task", "poe", "hatch", "moon", "rush"],
    goals: ["make", "gmake", "ninja", "nx", "turbo", "lerna", "rake", "gulp"]
      .concat(["invoke", "inv", "bazel", "bazelisk", "buck2", "zig", "meson"]),
    any: true,
    failed: COUNTED_FAIL,
    passed: COUNTED_PASS,
    examples: {
      hit: [
        "make test",
        "make -j4 lint test-unit",
        "mise run test:ci",
        "just test",
        "nx run web:test",
        "turbo run build test --filter=web",
        "bazel test //...",
      ],
      miss: ["make build", "make test-data", "mise run fmt", "task deploy"],
    },
  },
  {
    name: "vitest",
    forms: [["vitest"]],
    failed:
      /^\s{0,20}(?:Tests|Test Files)\s{1,20}(?:.{0,200}\b)?[1-9]\d{0,6} failed/m,
    passed: /^\s{0,20}Tests\s{1,20}\d{1,7} passed/m,
    examples: { hit: ["npx vitest run"], miss: ["npm install vitest"] },
  },
  {
    name: "jest",
    forms: [["jest"]],
    failed: /^\s{0,20}Tests:\s{1,20}(?:.{0,200}\b)?[1-9]\d{0,6} failed/m,
    passed: /^\s{0,20}Tests:\s{1,20}\d{1,7} passed/m,
    examples: { hit: ["npx jest src/a.test.ts"] },
  },
  {
    name: "mocha",
    forms: [["mocha"]],
    failed: /^\s{0,20}[1-9]\d{0,6} failing/m,
    passed: /^\s{0,20}\d{1,7} passing/m,
    examples: { hit: ["npx mocha"] },
  },
  {
    name: "node",
    forms: [["node", "--test"]],
    failed: /^# fail [1-9]/m,
    passed: /^# pass \d/m,
    examples: { hit: ["node --test"], miss: ["node test.js"] },
  },
  {
    name: "playwright",
    forms: [["playwright", "test"]],
    failed: COUNTED_FAIL,
    passed: COUNTED_PASS,
    examples: {
      hit: ["npx playwright test"],
      miss: ["npx playwright install"],
    },
  },
  {
    name: "cypress",
    forms: [["cypress", "run"]],
    failed: COUNTED_FAIL,
    passed: /All specs passed/,
    examples: { hit: ["npx cypress run"] },
  },
  {
    name: "pytest",
    forms: [
      ["pytest"],
      ["py.test"],
      ["python", "-m", "pytest"],
      [
        "python3",
        "-m",
        "pytest",
      ],
      ["tox"],
      ["nox"],
    ],
    failed: /\b[1-9]\d{0,6} (?:failed|errors?)\b[^\n]{0,80} in [\d.]{1,20}/,
    passed: /\b\d{1,7} passed\b[^\n]{0,80} in [\d.]{1,20}/,
    examples: {
      hit: ["pytest -q", "uv run pytest tests/", "python -m pytest"],
      miss: ["pip install pytest"],
    },
  },
  {
    name: "unittest",
    forms: [["unittest"]],
    failed: /^FAILED \(/m,
    passed: /^OK(?: \(|$)/m,
    examples: { hit: ["python3 -m unittest discover"] },
  },
  {
    name: "cargo",
    forms: [["cargo", "test"], ["cargo", "nextest"]],
    failed: /test result: FAILED|^\s{0,20}Summary .{0,200}[1-9]\d{0,6} failed/m,
    passed: /test result: ok|^\s{0,20}Summary .{0,200}\d{1,7} passed/m,
    examples: { hit: ["cargo test --workspace"], miss: ["cargo build"] },
  },
  {
    name: "go",
    forms: [["go", "test"], ["gotestsum"], ["ginkgo"]],
    failed: /^(?:--- FAIL|FAIL\b)/m,
    passed: /^(?:ok\s|PASS\b)/m,
    examples: { hit: ["go test ./..."], miss: ["go vet ./..."] },
  },
  {
    name: "maven",
    goals: ["mvn", "mvnw", "mvnd"],
    forms: [["mvn", "verify"], ["mvnw", "verify"]],
    failed: /Tests run:.{1,200}(?:Failures|Errors): [1-9]|BUILD FAILURE/,
    passed: /BUILD SUCCESS/,
    examples: {
      hit: ["mvn -q test", "./mvnw -pl core clean test", "mvn verify"],
      miss: ["mvn package"],
    },
  },
  {
    name: "gradle",
    goals: ["gradle", "gradlew"],
    forms: [["gradle", "check"], ["gradlew", "check"]],
    failed: /BUILD FAILED|tests completed, [1-9]\d{0,6} failed\b/,
    passed: /BUILD SUCCESSFUL/,
    examples: {
      hit: [
        "./gradlew test",
        "./gradlew :app:testDebugUnitTest",
        "gradle check",
      ],
      miss: ["./gradlew assemble"],
    },
  },
  {
    name: "deno",
    forms: [["deno", "test"]],
    failed: /^FAILED \|/m,
    passed: /^ok \|/m,
    examples: { hit: ["deno test -A"], miss: ["deno run test.ts"] },
  },
  {
    name: "rspec",
    forms: [["rspec"], ["rake", "spec"]],
    failed: /\d{1,7} examples?, [1-9]\d{0,6} failures?/,
    passed: /\d{1,7} examples?, 0 failures/,
    examples: { hit: ["bundle exec rspec"] },
  },
  {
    name: "rails",
    forms: [["rails", "test"]],
    failed: /assertions, .{0,40}\b[1-9]\d{0,6} (?:failures|errors)\b/,
    passed: /\b0 failures, 0 errors/,
    examples: { hit: ["bin/rails test"] },
  },
  {
    name: "dotnet",
    forms: [["dotnet", "test"]],
    failed: /^\s{0,20}Failed!|Test Run Failed/m,
    passed: /^\s{0,20}Passed!|Test Run Successful/m,
    examples: { hit: ["dotnet test"], miss: ["dotnet build"] },
  },
  {
    name: "phpunit",
    forms: [["phpunit"], ["pest"], ["artisan", "test"], [
      "php",
      "artisan",
      "test",
    ]],
    failed: /^FAILURES!|^ERRORS!/m,
    passed: /^OK \(/m,
    examples: { hit: ["vendor/bin/phpunit"] },
  },
  {
    name: "ctest",
    forms: [["ctest"]],
    failed: /[1-9]\d{0,6} tests failed/,
    passed: /100% tests passed/,
    examples: { hit: ["ctest --output-on-failure"] },
  },
  {
    name: "mix",
    forms: [["mix", "test"]],
    failed: /\d{1,7} tests?, [1-9]\d{0,6} failures?/,
    passed: /\d{1,7} tests?, 0 failures/,
    examples: { hit: ["mix test"] },
  },
  {
    name: "swift",
    forms: [["swift", "test"], ["xcodebuild", "test"]],
    failed: /with [1-9]\d{0,6} failures?|\*\* TEST FAILED/,
    passed: /with 0 failures|\*\* TEST SUCCEEDED/,
    examples: { hit: ["swift test"] },
  },
  {
    name: "flutter",
    forms: [["flutter", "test"], ["dart", "test"]],
    failed: /Some tests failed/,
    passed: /All tests passed/,
    examples: { hit: ["flutter test"] },
  },
  {
    name: "sbt",
    goals: ["sbt", "mill", "lein", "ant"],
    forms: [["clojure", "-x:test"]],
    failed: COUNTED_FAIL,
    passed: /All tests passed|\b0 failures\b/,
    examples: { hit: ["sbt test"] },
  },
  {
    name: "bats",
    forms: [["bats"]],
    failed: /^not ok /m,
    passed: /^ok 1\b/m,
    examples: { hit: ["bats test/"] },
  },
  {
    name: "ava, tap, jasmine, karma",
    forms: [["ava"], ["tap"], ["jasmine"], ["karma", "start"], ["wtr"], [
      "ng",
      "test",
    ]],
    failed: COUNTED_FAIL,
    passed: COUNTED_PASS,
    examples: { hit: ["npx ava", "ng test --watch=false"], miss: ["ng build"] },
  },
  {
    name: "haskell, ocaml",
    forms: [["cabal", "test"], ["stack", "test"], ["dune", "test"], [
      "dune",
      "runtest",
    ]],
    failed: /^Test suite .{1,100}: FAIL|\d out of \d{1,7} tests failed/m,
    passed: /\ball tests passed\b|\bTest Successful\b/i,
    examples: { hit: ["stack test", "dune runtest"] },
  },
  {
    name: "pester, prove, busted",
    forms: [["invoke-pester"], ["prove"], ["busted"]],
    failed: /^Result: FAIL|Failed: [1-9]/m,
    passed: /^Result: PASS|^All tests successful/m,
    examples: { hit: ["prove -lr t"] },
  },
  {
    name: "terraform",
    forms: [["terraform", "test"], ["tofu", "test"]],
    failed: /^Failure!/m,
    passed: /^Success!/m,
    examples: { hit: ["terraform test"], miss: ["terraform plan"] },
  },
];
