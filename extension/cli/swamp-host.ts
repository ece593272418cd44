/**
 * Which store an import writes to. Running inside swamp is a piece of its own;
 * this is where it plugs in.
 *
 * @module
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { layoutOf } from "../store/layout.ts";
import { CliError } from "./errors.ts";
import { findSwamp, noSwampMessage } from "./find-program.ts";
import type { Io } from "./io.ts";
import { PACKAGE_ROOT } from "./package-root.ts";

/** What `--store` takes. */
export const STORE_CHOICES = ["auto", "swamp", "embedded"] as const;

/** One of {@link STORE_CHOICES}. */
export type StoreChoice = typeof STORE_CHOICES[number];

/**
 * The host to import through. `auto` is swamp where swamp looks after the
 * repo's data already, else embedded. Throws CliError where the choice cannot
 * be followed.
 */
export function chooseHost(
  choice: StoreChoice,
  io: Pick<Io, "env" | "cwd" | "platform">,
  repo: string,
): "embedded" {
  if (choice === "embedded") return "embedded";
  const found = findSwamp({
    env: io.env,
    cwd: io.cwd,
    platform: io.platform,
    self: [join(PACKAGE_ROOT, "dist", "bin", "swamp.js")],
  });
  if (choice === "swamp" && !("path" in found)) {
    throw new CliError("NO_SWAMP", noSwampMessage(found, "--store swamp"));
  }
  const owned = existsSync(layoutOf(repo).catalog);
  if ("path" in found && (choice === "swamp" || owned)) {
    throw new CliError(
      "SWAMP_NOT_SUPPORTED",
      `Importing through swamp itself (${found.path}) is not supported yet. ${
        owned
          ? "swamp has a catalog of this repo's data, so files written beside it would not be seen: import into another repo (--repo-dir DIR --init), or write all the same with --store embedded --force."
          : "Use --store embedded: it writes the same layout, which swamp reads when it opens the repo for the first time."
      }`,
    );
  }
  return "embedded";
}
