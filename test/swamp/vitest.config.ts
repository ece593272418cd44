import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { viteAlias } from "../../scripts/npm-specifiers.mjs";

// The opt-in suite: `npm run test:swamp` with SWAMP_BIN set.
export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  resolve: { alias: viteAlias },
  test: {
    include: ["test/swamp/*.test.ts"],
    // Each test starts swamp several times; together they would only wait.
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
