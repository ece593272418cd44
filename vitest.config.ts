import { defineConfig } from "vitest/config";
import { viteAlias } from "./scripts/npm-specifiers.mjs";

export default defineConfig({
  resolve: { alias: viteAlias },
  test: {
    include: [
      "schema/**/*.test.{ts,tsx}",
      "extension/**/*.test.{ts,tsx}",
      "dashboard-page/**/*.test.{ts,tsx}",
      "test/unit/**/*.test.{ts,tsx}",
    ],
    setupFiles: ["test/seed.ts"],
    // Two cores are the machine to plan for.
    maxWorkers: 2,
    testTimeout: 60_000,
  },
});
