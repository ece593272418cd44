/** Checks a store on disk with other means than the code under test. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormatsModule from "ajv-formats";
import { parse as parseYaml } from "yaml";
import { jsonSchema } from "../../schema/json-schema.ts";
import {
  type RecordKind,
  type Summary,
  tagsToSummary,
} from "../../schema/mod.ts";

// Its types say `default.default`, its code is the function.
const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => Ajv2020;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * What is wrong with a store on disk, told by ajv, a YAML parser and a hash,
 * not by the code under test: [] for nothing.
 */
export function checkStore(repo: string): string[] {
  const wrong: string[] = [];
  const typeFolder = join(repo, ".swamp/data/@agent-observation/sessions");
  const definition = parseYaml(
    readFileSync(
      join(repo, "models/@agent-observation/sessions/sessions.yaml"),
      "utf8",
    ),
  ) as { id: string };
  const model = join(typeFolder, definition.id);
  for (const name of readdirSync(model)) {
    const say = (what: string) => wrong.push(`${name}: ${what}`);
    const entries = readdirSync(join(model, name)).sort();
    const version = entries[0] ?? "";
    if (entries.length !== 2 || entries[1] !== "latest") {
      say(`holds ${entries}`);
      continue;
    }
    if (readFileSync(join(model, name, "latest"), "utf8") !== version) {
      say("latest names another version");
    }
    const raw = readFileSync(join(model, name, version, "raw"));
    const meta = parseYaml(
      readFileSync(join(model, name, version, "metadata.yaml"), "utf8"),
    ) as Record<string, unknown>;
    const spec = name.split("-")[0]!;
    const expected: Record<string, unknown> = {
      name,
      version: Number(version),
      contentType: "application/json",
      lifetime: spec === "rollup" ? "2y" : "90d",
      garbageCollection: 1,
      streaming: false,
      ownerDefinition: {
        ownerType: "model-method",
        ownerRef: definition.id,
      },
      size: raw.length,
      checksum: createHash("sha256").update(raw).digest("hex"),
    };
    for (const [key, value] of Object.entries(expected)) {
      if (JSON.stringify(meta[key]) !== JSON.stringify(value)) {
        say(`${key} is ${JSON.stringify(meta[key])}`);
      }
    }
    if (!UUID.test(String(meta.id))) say("its id is no UUID");
    if (
      typeof meta.createdAt !== "string" ||
      Number.isNaN(Date.parse(meta.createdAt))
    ) say("createdAt is no time");
    const tags = meta.tags as Record<string, string>;
    for (const [tag, value] of Object.entries(tags)) {
      if (typeof value !== "string") say(`tag ${tag} is no string`);
    }
    if (tags.type !== "resource" || tags.specName !== spec) say("swamp's tags");
    const record = JSON.parse(raw.toString("utf8"));
    const valid = validators[spec as RecordKind];
    if (!valid(record)) say(JSON.stringify(valid.errors?.slice(0, 3)));
    if (raw.toString("utf8") !== JSON.stringify(record)) say("not compact");
    if (spec !== "summary") continue;
    if (JSON.stringify(tagsToSummary(tags)) !== JSON.stringify(record)) {
      say("its tags say something else");
    }
    const { detail } = record as Summary;
    const stored = join(model, detail.name);
    const at = readFileSync(join(stored, "latest"), "utf8");
    if (statSync(join(stored, at, "raw")).size !== detail.bytes) {
      say("its detail has another size");
    }
  }
  return wrong;
}

const ajv = new Ajv2020({ allErrors: true, strict: false });
addFormats(ajv);
const validators = {
  summary: ajv.compile(jsonSchema("summary")),
  detail: ajv.compile(jsonSchema("detail")),
  rollup: ajv.compile(jsonSchema("rollup")),
};
