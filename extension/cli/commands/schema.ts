/**
 * `schema`: the published JSON Schemas.
 *
 * @module
 */
import { jsonSchema, SCHEMAS } from "../../../schema/json-schema.ts";
import type { RecordKind } from "../../../schema/mod.ts";
import { type AnyCommand, command } from "../command.ts";
import { EXIT } from "../errors.ts";
import { toJson } from "../json.ts";

const KINDS = Object.keys(SCHEMAS) as RecordKind[];

/** See the module. */
export const schema: AnyCommand = command({
  name: "schema",
  summary: "print the JSON Schema of the stored data",
  about:
    `Prints the JSON Schema (draft 2020-12) of what is stored: a summary (one row
of the list), a detail (a session with all its calls) or a rollup (one day).
Without a kind: all three, in one object by kind.`,
  argument: { name: "kind", help: KINDS.join(", "), choices: KINDS },
  options: {},
  examples: [
    ["schema detail", "the schema of a session's detail"],
    ["schema > schemas.json", "all of them, in one object"],
  ],
  async run(context, values, kind) {
    const value = kind === undefined
      ? Object.fromEntries(KINDS.map((k) => [k, jsonSchema(k)]))
      : jsonSchema(kind as RecordKind);
    // On request for machines one line, as everywhere; else to be read.
    await context.print(toJson(value, values.json ? 0 : 2));
    return EXIT.ok;
  },
});
