// Writes fixtures/golden/*.json anew. Read the diff before you commit it: it is
// what a change did to every stored record.
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { loadTs } from "./load-ts.mjs";

const GOLDEN = fileURLToPath(new URL("../fixtures/golden/", import.meta.url));
const { FAMILIES, importFamily } = await loadTs("test/golden.ts");
mkdirSync(GOLDEN, { recursive: true });
for (const family of FAMILIES) {
  writeFileSync(
    `${GOLDEN}${family}.json`,
    JSON.stringify(await importFamily(family), null, 1) + "\n",
  );
}
console.log(`wrote ${FAMILIES.length} golden results`);
