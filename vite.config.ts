import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { viteAlias } from "./scripts/npm-specifiers.mjs";

export default defineConfig({
  root: fileURLToPath(new URL("./dashboard-page/app", import.meta.url)),
  base: "./",
  plugins: [react()],
  resolve: { alias: viteAlias },
  build: {
    outDir: fileURLToPath(new URL("./dist/page", import.meta.url)),
    emptyOutDir: true,
    // The page is served under a strict CSP: nothing is inlined as data: script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
