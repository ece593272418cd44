/**
 * The published JSON Schemas (draft 2020-12), made from the zod schemas.
 *
 * @module
 */
import { z } from "npm:zod@4";
import { detailSchema } from "./detail.ts";
import { rollupSchema } from "./rollup.ts";
import { summarySchema } from "./summary.ts";
import type { RecordKind } from "./versions.ts";

/** Every published schema's zod source. */
export const SCHEMAS: Readonly<Record<RecordKind, z.ZodType>> = {
  summary: summarySchema,
  detail: detailSchema,
  rollup: rollupSchema,
};

/** The JSON Schema of one record kind, as a plain object. */
export function jsonSchema(kind: RecordKind): Record<string, unknown> {
  const schema = z.toJSONSchema(SCHEMAS[kind], {
    target: "draft-2020-12",
    unrepresentable: "throw",
    // zod leaves a tuple's length open, so that [1] would pass for [1, 2].
    override: ({ jsonSchema: node }) => {
      if (!node.prefixItems) return;
      node.minItems = node.maxItems = node.prefixItems.length;
      node.items = false;
    },
  }) as Record<string, unknown>;
  return {
    $schema: schema.$schema,
    $id: `urn:swamp-agent-sessions:schema:${kind}:1`,
    title: `agent session ${kind}, version 1`,
    ...schema,
  };
}
