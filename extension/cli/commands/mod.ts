/**
 * All commands, in the order of `--help`.
 *
 * @module
 */
import type { AnyCommand } from "../command.ts";
import { dashboard } from "./dashboard.ts";
import { doctor } from "./doctor.ts";
import { explain } from "./explain.ts";
import { extract } from "./extract.ts";
import { importCommand } from "./import.ts";
import { list } from "./list.ts";
import { schema } from "./schema.ts";
import { show } from "./show.ts";
import { start } from "./start.ts";
import { trends } from "./trends.ts";

/** Every command. */
export const COMMANDS: readonly AnyCommand[] = [
  importCommand,
  list,
  show,
  dashboard,
  extract,
  trends,
  explain,
  doctor,
  schema,
  start,
];
