/** What scripts/screenshots.mjs needs, in one module. */
export { DEMO_NOW, demoData } from "./demo-data.ts";
export { serve } from "./serve.ts";
