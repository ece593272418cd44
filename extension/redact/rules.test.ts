import { describe, expect, it } from "vitest";
import { redactionMarkdown } from "./docs.ts";
import { makeExample } from "./examples.ts";
import { redact } from "./redact.ts";
import { PASSES } from "./rules.ts";

const rows = PASSES.flatMap((pass) =>
  pass.rules.map((rule) => ({ pass: pass.title, rule }))
);
const hits = rows.flatMap(({ rule }) =>
  rule.examples.hit.map((example) => ({ id: rule.id, example }))
);
const misses = rows.flatMap(({ rule }) =>
  (rule.examples.miss ?? []).map((example) => ({ id: rule.id, example }))
);

describe("the rules' examples", () => {
  it.each(hits)("$id hides what is marked in $example", ({ example }) => {
    const { text, secrets } = makeExample(example);
    const redacted = redact(text).text;
    expect(secrets.length).toBeGreaterThan(0);
    for (const secret of secrets) expect(redacted).not.toContain(secret);
    expect(redacted).toContain("[REDACTED:");
  });

  it.each(misses)("$id leaves $example as it is", ({ example }) => {
    const { text } = makeExample(example);
    expect(redact(text).text).toBe(text);
  });

  it.each([...new Set(rows.map(({ rule }) => rule.id))])(
    "%s is the marker of an example of its own",
    (id) => {
      const found = rows.filter(({ rule }) => rule.id === id).flatMap((
        { rule },
      ) =>
        rule.examples.hit.flatMap((example) =>
          redact(makeExample(example).text).spans.map((span) => span.rule)
        )
      );
      expect(found).toContain(id);
    },
  );

  it("have ids that can stand in a marker", () => {
    for (const { rule } of rows) expect(rule.id).toMatch(/^[a-z0-9-]{2,40}$/);
  });
});

describe("the generated page", () => {
  const page = redactionMarkdown();

  it("names every rule", () => {
    for (const { rule } of rows) expect(page).toContain(`\`${rule.id}\``);
  });

  it("holds no secret that redaction would find by its prefix", () => {
    const vendors = new Set(
      PASSES.find((p) => p.title === "Vendors' tokens")?.rules.map((r) => r.id),
    );
    const left = redact(page).spans.filter((s) => vendors.has(s.rule));
    expect(left).toEqual([]);
  });
});
