import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";
import { CHROMIUM_ARGS } from "./scripts/chromium.mjs";

// `npm run test:browser` finds one and says so here; this is for `npx playwright`.
const chromium = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";

export default defineConfig({
  testDir: "test/browser",
  testMatch: "*.spec.ts",
  // Benchmarks print figures and take the machine: `npm run bench:page`.
  testIgnore: process.env.BENCH ? [] : ["*-bench.spec.ts"],
  outputDir: "test-results",
  workers: 2,
  // Machines are shared: a slow moment is no failure, a failure is no flake.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  retries: 0,
  reporter: process.env.CI ? "dot" : "list",
  use: {
    launchOptions: {
      ...(existsSync(chromium) ? { executablePath: chromium } : {}),
      args: CHROMIUM_ARGS,
    },
  },
});
