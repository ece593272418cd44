/**
 * What is generated and committed: path -> content.
 *
 * @module
 */
import { labelsMarkdown } from "../extension/classify/docs.ts";
import { findingsMarkdown } from "../extension/findings/docs.ts";
import { cliReference } from "../extension/cli/reference.ts";
import { redactionMarkdown } from "../extension/redact/docs.ts";
import { jsonSchema } from "../schema/json-schema.ts";
import type { RecordKind } from "../schema/mod.ts";

/** Every generated file's content by its path from the root. */
export function generated(): Record<string, string> {
  const files: Record<string, string> = {
    "docs/labels.md": labelsMarkdown(),
    "docs/redaction.md": redactionMarkdown(),
    "docs/findings.md": findingsMarkdown(),
    "docs/command-line.md": cliReference(),
  };
  const kinds: RecordKind[] = ["summary", "detail", "rollup"];
  for (const kind of kinds) {
    files[`schema/json/${kind}.schema.json`] =
      JSON.stringify(jsonSchema(kind), null, 2) + "\n";
  }
  return files;
}
