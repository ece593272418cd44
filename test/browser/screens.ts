/** What scripts/screenshots.mjs needs, in one module. */
export { demoData } from "./demo-data.ts";
export { serve } from "./serve.ts";
