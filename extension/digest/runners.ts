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
  forms: readonly (readonly string[])[];
  /** A summary line that says some test failed. */
  failed?: RegExp;
  /** A summary line that says all passed. */
  passed?: RegExp;
  /** Commands that are a run, and ones that are none. */
  examples: { hit: readonly string[]; miss?: readonly string[] };
}

const COUNTED_FAIL = /\b[1-9]\d{0,6} (?:failed|failing|failures?)\b/;
const COUNTED_PASS = /\b\d{1,7} (?:passed|passing)\b/;

/**
 * The table. In `forms`, the first word is the program and the others are its
 * first words without flags; a trailing `*` matches any ending (`test:*`).
 */
export const RUNNERS: readonly Runner[] = [
  {
    name: "package script",
    forms: ["npm", "pnpm", "yarn", "bun"].flatMap((p) => [
      [p, "test"],
      [p, "t"],
      [p, "run", "test"],
      [p, "run", "test:*"],
      [p, "run", "tests"],
      [p, "test:*"],
    ]),
    failed: COUNTED_FAIL,
    passed: COUNTED_PASS,
    examples: {
      hit: ["npm test", "pnpm run test:unit", "yarn test --watch=false"],
      miss: ["npm run build", 'echo "npm test"', "npm install test"],
    },
  },
  {
    name: "vitest",
    forms: [["vitest"]],
    failed: /^\s*(?:Tests|Test Files)\s+(?:.*\b)?[1-9]\d* failed/m,
    passed: /^\s*Tests\s+\d+ passed/m,
    examples: { hit: ["npx vitest run"], miss: ["npm install vitest"] },
  },
  {
    name: "jest",
    forms: [["jest"]],
    failed: /^\s*Tests:\s+(?:.*\b)?[1-9]\d* failed/m,
    passed: /^\s*Tests:\s+\d+ passed/m,
    examples: { hit: ["npx jest src/a.test.ts"] },
  },
  {
    name: "mocha",
    forms: [["mocha"]],
    failed: /^\s*[1-9]\d* failing/m,
    passed: /^\s*\d+ passing/m,
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
    failed: /\b[1-9]\d* (?:failed|errors?)\b[^\n]{0,80} in [\d.]+/,
    passed: /\b\d+ passed\b[^\n]{0,80} in [\d.]+/,
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
    failed: /test result: FAILED|^\s*Summary .*[1-9]\d* failed/m,
    passed: /test result: ok|^\s*Summary .*\d+ passed/m,
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
    forms: [["mvn", "test"], ["mvn", "verify"], ["mvnw", "test"], [
      "mvnw",
      "verify",
    ]],
    failed: /Tests run:.*(?:Failures|Errors): [1-9]|BUILD FAILURE/,
    passed: /BUILD SUCCESS/,
    examples: { hit: ["mvn -q test"], miss: ["mvn package"] },
  },
  {
    name: "gradle",
    forms: [["gradle", "test"], ["gradlew", "test"], ["gradle", "check"], [
      "gradlew",
      "check",
    ]],
    failed: /BUILD FAILED|\b[1-9]\d* failed\b/,
    passed: /BUILD SUCCESSFUL/,
    examples: { hit: ["./gradlew test"] },
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
    forms: [["rspec"], ["bundle", "exec", "rspec"]],
    failed: /\d+ examples?, [1-9]\d* failures?/,
    passed: /\d+ examples?, 0 failures/,
    examples: { hit: ["bundle exec rspec"] },
  },
  {
    name: "rails",
    forms: [["rails", "test"], ["rake", "test"], ["bundle", "exec", "rake"]],
    failed: /[1-9]\d* (?:failures|errors)\b/,
    passed: /\b0 failures, 0 errors/,
    examples: { hit: ["bin/rails test"] },
  },
  {
    name: "dotnet",
    forms: [["dotnet", "test"]],
    failed: /^\s*Failed!|Test Run Failed/m,
    passed: /^\s*Passed!|Test Run Successful/m,
    examples: { hit: ["dotnet test"], miss: ["dotnet build"] },
  },
  {
    name: "phpunit",
    forms: [["phpunit"], ["pest"], ["artisan", "test"], [
      "php",
      "artisan",
      "test",
    ], ["composer", "test"]],
    failed: /^FAILURES!|^ERRORS!/m,
    passed: /^OK \(/m,
    examples: { hit: ["vendor/bin/phpunit"] },
  },
  {
    name: "ctest",
    forms: [["ctest"]],
    failed: /[1-9]\d* tests failed/,
    passed: /100% tests passed/,
    examples: { hit: ["ctest --output-on-failure"] },
  },
  {
    name: "mix",
    forms: [["mix", "test"]],
    failed: /\d+ tests?, [1-9]\d* failures?/,
    passed: /\d+ tests?, 0 failures/,
    examples: { hit: ["mix test"] },
  },
  {
    name: "swift",
    forms: [["swift", "test"], ["xcodebuild", "test"]],
    failed: /with [1-9]\d* failures?|\*\* TEST FAILED/,
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
    name: "make",
    forms: [
      ["make", "test"],
      ["make", "tests"],
      ["make", "test-*"],
      [
        "make",
        "check",
      ],
      ["just", "test"],
      ["task", "test"],
    ],
    failed: COUNTED_FAIL,
    passed: COUNTED_PASS,
    examples: { hit: ["make test"], miss: ["make build"] },
  },
  {
    name: "sbt",
    forms: [["sbt", "test"], ["lein", "test"], ["clojure", "-x:test"]],
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
];
