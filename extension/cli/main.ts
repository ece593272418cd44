/**
 * `swamp-sessions`.
 *
 * @module
 */
import process from "node:process";
import { nodeIo } from "./io.ts";
import { main } from "./program.ts";

process.exitCode = await main(process.argv.slice(2), nodeIo());
