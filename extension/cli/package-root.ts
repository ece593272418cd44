/**
 * Files that ship with the program. The bundle in `dist/bin` and this source
 * lie equally deep below the package's root.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Root folder of the package. */
export const PACKAGE_ROOT: string = fileURLToPath(
  new URL("../../", import.meta.url),
);

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
