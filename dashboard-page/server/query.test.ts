import { describe, expect, test } from "vitest";
import { SUMMARY_TAGS } from "../../schema/mod.ts";
import { RequestError } from "./errors.ts";
import { MAX_EXPRESSION, within } from "./expression.ts";
import { runQuery } from "./query.ts";
import { fakeItem, FakeReader } from "./fake.test-support.ts";

const names = { select: "name" };

describe("data.query", () => {
  const reader = new FakeReader([
    fakeItem("summary-a", { kind: "s", month: "2026-09", calls: "3" }),
    fakeItem("detail-a", { kind: "d" }, '{"session":{"id":"a"},"n":7}'),
    fakeItem("summary-b", { kind: "s", month: "2026-10" }),
  ]);
  const run = (predicate: string, more: object = names) =>
    runQuery(reader, { predicate, ...more });

  test("gives a scalar projection in the order of the items", async () => {
    expect(await run('tags.kind == "s"')).toEqual({
      predicate: 'tags.kind == "s"',
      select: "name",
      results: [],
      projected: { shape: "scalar", values: ["summary-a", "summary-b"] },
      total: 2,
      limited: false,
    });
  });

  test("a row without the tag that the predicate names is passed over", async () => {
    const { projected } = await run('tags.calls != "99"');
    expect(projected).toEqual({ shape: "scalar", values: ["summary-a"] });
    expect((await run("has(tags.calls)")).total).toBe(1);
    expect((await run("!has(tags.calls)")).total).toBe(2);
  });

  test("a row on which the projection fails stays, empty", async () => {
    const { projected, total } = await run('tags.kind == "s"', {
      select: '{"calls": tags.calls, "size": size}',
    });
    expect(total).toBe(2);
    expect(projected).toEqual({
      shape: "map",
      columns: ["calls", "size"],
      rows: [{ calls: "3", size: 2 }, {}],
    });
  });

  test("a list projection keeps its order, whole numbers become JSON's", async () => {
    const { projected } = await run('name == "detail-a"', {
      select: "[name, size(tags), version == 1]",
    });
    expect(projected).toEqual({
      shape: "list",
      rows: [["detail-a", 1, true]],
    });
  });

  test("a limit that is reached is said", async () => {
    const result = await run("true", { select: "name", limit: 2 });
    expect([result.total, result.limited]).toEqual([2, true]);
    expect((await run("true", { select: "name", limit: 4 })).limited).toBe(
      false,
    );
  });

  test("metadata alone reads no content", async () => {
    reader.reads = 0;
    await run('tags.kind == "s" && createdAt < "2027"');
    expect(reader.reads).toBe(0);
  });

  test("attributes and content in predicate or select are loaded", async () => {
    expect((await run("attributes.n == 7")).projected).toEqual({
      shape: "scalar",
      values: ["detail-a"],
    });
    const byContent = await run('tags.kind == "d"', {
      select: "content.session.id",
    });
    expect(byContent.projected).toEqual({ shape: "scalar", values: ["a"] });
  });

  test("without a select the whole record comes, content and all", async () => {
    const { results, projected } = await run('tags.kind == "d"', {});
    expect(projected).toBeUndefined();
    expect(results[0]).toMatchObject({
      name: "detail-a",
      isLatest: true,
      modelName: "sessions",
      attributes: { n: 7 },
    });
  });

  test.each([
    ["an unknown field", 'nope == "x"', /Unknown field "nope"/],
    ["a variable of a macro, as swamp does", "tags.exists(k, k == 'a')", /"k"/],
    ["broken syntax", "tags.kind ==", /^predicate: Unexpected/],
    ["patterns, which may backtrack for ever", 'name.matches("a+")', /matches/],
    [
      "lists that double",
      "[tags].exists(size, size + size == name)",
      /\+ is not answered inside a loop/,
    ],
    [
      "three loops inside one another",
      "[1].all(size, [1].all(size, [1].all(size, true)))",
      /at most 2 loops/,
    ],
    ["values that double", "cel.bind(size, 1, size) == 1", /bind/],
    ["an expression too long", `name == "${"x".repeat(5000)}"`, /4096/],
  ])("refuses %s", async (_what, predicate, message) => {
    const error = await run(predicate).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(RequestError);
    expect((error as RequestError).message).toMatch(message);
  });

  test("select is refused the same, and loops that are answered work", async () => {
    const select = (text: string) =>
      run('name == "detail-a"', { select: text });
    await expect(select('name.matches("a")')).rejects.toThrow(/matches/);
    await expect(select("[1].map(a, [a].map(b, [b].map(c, c)))"))
      .rejects.toThrow(/at most 2 loops/);
    expect((await select("[1, 2].map(a, [a].map(b, b * 2))")).projected)
      .toEqual({ shape: "list", rows: [[[2], [4]]] });
  });

  test("a short select that stands for a thousand million values is refused", async () => {
    const many = `[${Array(200).fill("x").join(", ")}]`;
    await expect(run("true", { select: `[1]${`.map(x, ${many})`.repeat(4)}` }))
      .rejects.toThrow(/larger than 64 MB/);
  });

  test("work that does not come back is stopped", () => {
    expect(() =>
      within(1, () => {
        for (;;) {
          try {
            JSON.parse("{");
          } catch {
            // As the evaluator does with what fails.
          }
        }
      })
    ).toThrow(RequestError);
    expect(within(1000, () => 7)).toBe(7);
  });

  test("a predicate at the limit of length is still read", async () => {
    const predicate = `true${" ".repeat(MAX_EXPRESSION - 4)}`;
    expect((await run(predicate)).total).toBe(3);
  });

  test("changed items are seen by the next query", async () => {
    const growing = new FakeReader([fakeItem("summary-a", { kind: "s" })]);
    const count = async () =>
      (await runQuery(growing, { predicate: "true", select: "name" })).total;
    expect(await count()).toBe(1);
    growing.all = [...growing.all, fakeItem("summary-b", { kind: "s" })];
    expect(await count()).toBe(2);
  });

  test("a projection of every tag of 12,000 items loses none", async () => {
    const tags = Object.fromEntries(SUMMARY_TAGS.map((tag) => [tag, "v"]));
    const many = new FakeReader(
      Array.from(
        { length: 12_000 },
        (_, i) =>
          fakeItem(`summary-${i}`, { kind: i % 2 ? "s" : "d", ...tags }),
      ),
    );
    const { projected } = await runQuery(many, {
      predicate: 'tags.kind == "s"',
      select: `[${SUMMARY_TAGS.map((tag) => `tags.${tag}`).join(", ")}]`,
      limit: 10_000,
    });
    expect(projected?.shape === "list" && projected.rows.length).toBe(6000);
  });
});
