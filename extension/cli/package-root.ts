/**
 * Files that ship with the program. The bundle in `dist/bin` and this source
 * lie equally deep below the package's root.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

/** Root folder of the package. */
export const PACKAGE_ROOT: string = dirname(dirname(here));

/** The program that stands in front of swamp. */
export const SHIM: string = join(PACKAGE_ROOT, "dist", "bin", "swamp.js");

/** The built page. */
export const PAGE_DIR: string = join(PACKAGE_ROOT, "dist", "page");

/** Authored session homes: `<family>/home`. */
export const FIXTURE_HOMES: string = join(PACKAGE_ROOT, "fixtures", "homes");

/** Version of the package; `unknown` where its package.json cannot be read. */
export function packageVersion(): string {
  try {
    const value: unknown = JSON.parse(
      readFileSync(join(PACKAGE_ROOT, "package.json"), "utf8"),
    );
    return typeof value === "object" && value !== null && "version" in value
      ? String(value.version)
      : "unknown";
  } catch {
    return "unknown";
  }
}
