import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as arbitrary from "../test/arbitraries.ts";
import { jsonSchema, SCHEMAS } from "./json-schema.ts";
import type { RecordKind } from "./mod.ts";

const kinds: RecordKind[] = ["summary", "detail", "rollup"];
const ajv = new Ajv2020({ allErrors: false, strict: true });

/** Every way to break one field of a record: [path, broken copy]. */
function* broken(record: unknown): Generator<[string, unknown]> {
  const paths: (string | number)[][] = [];
  const walk = (value: unknown, path: (string | number)[]) => {
    if (typeof value !== "object" || value === null) return;
    for (const key of Object.keys(value)) {
      const at = Array.isArray(value) ? Number(key) : key;
      paths.push([...path, at]);
      walk((value as Record<string, unknown>)[key], [...path, at]);
    }
  };
  walk(record, []);
  const set = (path: (string | number)[], value: unknown) => {
    const copy = structuredClone(record) as Record<string | number, unknown>;
    let at = copy;
    for (const key of path.slice(0, -1)) {
      at = at[key] as Record<string | number, unknown>;
    }
    const last = path.at(-1)!;
    if (value === undefined) delete at[last];
    else at[last] = value;
    return copy;
  };
  for (const path of paths) {
    const name = path.join(".");
    for (const wrong of [undefined, null, -1, 1.5, "", {}, [], "\u0000x"]) {
      yield [`${name} = ${JSON.stringify(wrong)}`, set(path, wrong)];
    }
  }
  yield ["an unknown key", { ...(record as object), prompt: "hello" }];
}

describe.each(kinds)("the JSON Schema of a %s", (kind) => {
  const schema = jsonSchema(kind);
  const validate = ajv.compile(schema);
  const zod = SCHEMAS[kind];

  it("is draft 2020-12 and describes every field", () => {
    expect(schema.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
    const walk = (node: unknown, path: string) => {
      if (typeof node !== "object" || node === null) return;
      const { properties } = node as { properties?: Record<string, object> };
      for (const [key, value] of Object.entries(properties ?? {})) {
        expect(value, `${path}.${key}`).toHaveProperty("description");
      }
      for (const [key, value] of Object.entries(node)) walk(value, key);
    };
    walk(schema, kind);
  });

  it("accepts what zod accepts", () => {
    fc.assert(
      fc.property(arbitrary[kind] as fc.Arbitrary<unknown>, (record) => {
        expect(zod.safeParse(record).success).toBe(true);
        expect(validate(record)).toBe(true);
      }),
    );
  });

  it("rejects what zod rejects, one broken field at a time", () => {
    let rejected = 0;
    fc.assert(
      fc.property(arbitrary[kind] as fc.Arbitrary<unknown>, (record) => {
        for (const [what, copy] of broken(record)) {
          const byZod = zod.safeParse(copy).success;
          if (!byZod) rejected++;
          expect(validate(copy), what).toBe(byZod);
        }
      }),
      { numRuns: kind === "detail" ? 5 : 15 },
    );
    expect(rejected).toBeGreaterThan(100);
  });

  it("has no field that could hold a prompt or a reply", () => {
    const text = JSON.stringify(schema);
    expect(text).not.toMatch(/"(prompt|reply|thinking|output_text|content)":/);
  });
});
