/**
 * `swamp`, in front of the real one: `swamp extension import sessions` is this
 * project's; everything else is handed through untouched.
 *
 * @module
 */
import process from "node:process";
import { fileURLToPath } from "node:url";
import { passedSoFar, withChain } from "./chain.ts";
import {
  findSwamp,
  noSwampMessage,
  realPath,
  SPEAKER,
} from "./find-program.ts";
import { endAs, handOver } from "./hand-over.ts";
import { isOurs } from "./ours.ts";

const self = fileURLToPath(import.meta.url);
const args = process.argv.slice(2);

if (isOurs(args)) {
  endAs(
    await handOver(process.execPath, [
      fileURLToPath(new URL("./swamp-sessions.js", import.meta.url)),
      "import",
      ...args.slice(3),
    ]),
  );
} else {
  const passed = passedSoFar(process.env, args, process.ppid);
  const found = findSwamp({
    env: process.env,
    cwd: process.cwd(),
    platform: process.platform,
    self: [self],
    passed,
  });
  if ("path" in found) {
    try {
      endAs(
        await handOver(
          found.path,
          args,
          withChain(process.env, args, process.pid, [
            ...passed.paths,
            self,
            realPath(found.path),
          ]),
        ),
      );
    } catch (error) {
      fail(
        `${found.path} could not be started: ${
          error instanceof Error ? error.message : String(error)
        }`,
      );
    }
  } else {
    fail(
      noSwampMessage(
        found,
        `\`swamp ${args.slice(0, 2).join(" ")}\``.replace(" `", "`"),
        "Only `swamp extension import sessions` works without it.",
      ),
    );
  }
}

function fail(message: string): void {
  process.stderr.write(`${SPEAKER}: ${message}\n`);
  process.exitCode = 1;
}
