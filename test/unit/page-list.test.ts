import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { NewerRow, Row } from "../../dashboard-page/client/rows.ts";
import {
  readRow,
  ROW_TAGS,
  searchText,
} from "../../dashboard-page/client/rows.ts";
import {
  isGroup,
  newestFirst,
  nextSort,
  sortRows,
  tableItems,
  totals,
} from "../../dashboard-page/page/list/derive.ts";
import {
  FACET_IDS,
  FACETS,
  facetValues,
  filterRows,
  timeRange,
} from "../../dashboard-page/page/list/facets.ts";
import { COLUMN_IDS, COLUMNS } from "../../dashboard-page/page/list/columns.ts";
import {
  columnsParam,
  isFiltered,
  type ListState,
  readState,
  sizesParam,
  sortParam,
} from "../../dashboard-page/page/list/state.ts";
import {
  keepViews,
  ownViews,
  READY_VIEWS,
} from "../../dashboard-page/page/list/views.ts";
import { summaryToTags } from "../../schema/tags.ts";
import { DEMO_NOW, demoData } from "../browser/demo-data.ts";

const isRow = (row: Row | NewerRow | undefined): row is Row =>
  row !== undefined && !("newer" in row);
const rows: readonly Row[] = newestFirst(
  demoData({ sessions: 500 }).summaries.map((s) => {
    const tags = summaryToTags(s);
    return readRow(ROW_TAGS.map((t) => tags[t]));
  }).filter(isRow),
);
const plain = readState(new URLSearchParams());
const unfolded: ListState = { ...plain, fold: false };

describe("a row", () => {
  it("holds what the summary holds", () => {
    const data = demoData({ sessions: 30 });
    for (const s of data.summaries) {
      const tags = summaryToTags(s);
      const row = readRow(ROW_TAGS.map((t) => tags[t]));
      expect(row).toMatchObject({
        id: s.id,
        start: Date.parse(s.startedAt),
        end: Date.parse(s.endedAt),
        repo: s.repo.name,
        branch: s.branch ?? "",
        calls: s.calls,
        neutral: s.labels.neutral,
        mutating: s.labels.mutating,
        tokensPartial: s.tokens.outputIsLowerBound === true,
        agents: s.subagents.count,
        high: s.findings.high,
        score: s.substance.score,
        tier: s.substance.tier,
        flags: s.flags,
      });
    }
  });

  it("is never made of a value of another shape, and never throws", () => {
    fc.assert(fc.property(fc.array(fc.anything(), { maxLength: 30 }), (v) => {
      const row = readRow(v);
      expect(row === undefined || typeof row.id === "string").toBe(true);
    }));
  });

  it("of a newer schema is told apart, not guessed at", () => {
    expect(readRow(["2", "abc"])).toEqual({ id: "abc", newer: "2" });
    expect(readRow(["", "abc"])).toEqual({ id: "abc", newer: "unknown" });
  });
});

describe("filtering", () => {
  it("without filters shows everything but folded trivial sessions, and counts those", () => {
    const all = filterRows(rows, unfolded, DEMO_NOW);
    expect(all.rows.length).toBe(rows.length);
    const folded = filterRows(rows, plain, DEMO_NOW);
    expect(folded.rows.length + folded.trivial).toBe(rows.length);
    expect(folded.rows.some((r) => r.tier === "trivial")).toBe(false);
  });

  it("shows trivial sessions to who asks for them by name", () => {
    const asked = filterRows(
      rows,
      { ...plain, facets: { substance: ["trivial"] } },
      DEMO_NOW,
    );
    expect(asked.rows.length).toBe(asked.trivial);
    expect(asked.rows.length).toBeGreaterThan(0);
  });

  it("counts a facet's values under every other filter but its own", () => {
    const value = fc.constantFrom(...FACET_IDS).chain((id) => {
      const values = new Set<string>();
      for (const row of rows) FACETS[id].each(row, (v) => values.add(v));
      return fc.record({
        id: fc.constant(id),
        values: fc.subarray([...values], { minLength: 1, maxLength: 3 }),
      });
    });
    fc.assert(
      fc.property(fc.array(value, { maxLength: 3 }), (chosen) => {
        const facets = Object.fromEntries(
          chosen.map((c) => [c.id, c.values]),
        );
        const state = { ...unfolded, facets };
        const { counts } = filterRows(rows, state, DEMO_NOW);
        for (const id of FACET_IDS) {
          const others = { ...facets };
          delete others[id];
          const naive = new Map<string, number>();
          for (const row of rows) {
            const passes = Object.entries(others).every(([f, wanted]) => {
              let hit = false;
              FACETS[f as typeof id].each(row, (v) => {
                if (wanted.includes(v)) hit = true;
              });
              return hit;
            });
            if (!passes) continue;
            FACETS[id].each(row, (v) => naive.set(v, (naive.get(v) ?? 0) + 1));
          }
          expect(new Map(counts(id))).toEqual(naive);
        }
      }),
      { numRuns: 25 },
    );
  });

  it("by dates takes sessions that overlap them, not only those that start in them", () => {
    const row = rows[0];
    if (!row) throw new Error("no row");
    const long: Row = {
      ...row,
      start: new Date(2026, 8, 30, 23).getTime(),
      end: new Date(2026, 9, 1, 1).getTime(),
    };
    const on = (day: string) =>
      filterRows([long], { ...unfolded, from: day, to: day }, DEMO_NOW).rows
        .length;
    expect([
      on("2026-09-29"),
      on("2026-09-30"),
      on("2026-10-01"),
      on("2026-10-02"),
    ])
      .toEqual([0, 1, 1, 0]);
  });

  it("by the last days begins at midnight so many days ago, today included", () => {
    const now = new Date(2026, 9, 14, 15).getTime();
    const [from] = timeRange({ from: "", to: "", last: 7 }, now);
    expect(from).toBe(new Date(2026, 9, 8).getTime());
  });

  it("by text wants every word, anywhere, in any case", () => {
    const found = filterRows(
      rows,
      { ...unfolded, q: "MAIN billing" },
      DEMO_NOW,
    ).rows;
    expect(found.length).toBeGreaterThan(0);
    for (const row of found) {
      expect(searchText(row)).toContain("main");
      expect(searchText(row)).toContain("billing");
    }
  });

  it("lists a chosen value even where no session has it", () => {
    expect(facetValues("repo", new Map([["a", 2]]), ["gone"])).toEqual([
      { value: "a", count: 2, chosen: false },
      { value: "gone", count: 0, chosen: true },
    ]);
  });
});

describe("order", () => {
  it("follows every column both ways and keeps every row", () => {
    for (const id of COLUMN_IDS) {
      const key = COLUMNS[id].key;
      for (const desc of [true, false]) {
        const sorted = sortRows(rows, [{ id, desc }]);
        expect(new Set(sorted)).toEqual(new Set(rows));
        for (let i = 1; i < sorted.length; i++) {
          const a = key(sorted[i - 1] as Row);
          const b = key(sorted[i] as Row);
          expect(desc ? a >= b : a <= b).toBe(true);
        }
      }
    }
  });

  it("of several columns breaks ties by the next, then newest first", () => {
    const sorted = sortRows(rows, [
      { id: "repo", desc: false },
      { id: "failed", desc: true },
    ]);
    for (let i = 1; i < sorted.length; i++) {
      const a = sorted[i - 1] as Row;
      const b = sorted[i] as Row;
      if (a.repo !== b.repo) expect(a.repo < b.repo).toBe(true);
      else if (a.failed !== b.failed) expect(a.failed > b.failed).toBe(true);
      else expect(a.start >= b.start).toBe(true);
    }
  });

  it("turns around on the same header, starts afresh on another, and with Shift adds, turns, removes", () => {
    const byStart = [{ id: "started" as const, desc: true }];
    expect(nextSort(byStart, "started", false)).toEqual([
      { id: "started", desc: false },
    ]);
    expect(nextSort(byStart, "repo", false)).toEqual([
      { id: "repo", desc: false },
    ]);
    const two = nextSort(byStart, "failed", true);
    expect(two).toEqual([...byStart, { id: "failed", desc: true }]);
    const turned = nextSort(two, "failed", true);
    expect(turned[1]).toEqual({ id: "failed", desc: false });
    expect(nextSort(turned, "failed", true)).toEqual(byStart);
  });
});

describe("groups", () => {
  it.each(["repo", "day"] as const)(
    "by %s hold every row once, under the right heading",
    (by) => {
      const items = tableItems(rows, by, DEMO_NOW);
      const seen = items.filter((i) => !isGroup(i));
      expect(new Set(seen)).toEqual(new Set(rows));
      expect(seen.length).toBe(rows.length);
      let sessions = 0;
      let left = 0;
      for (const item of items) {
        if (isGroup(item)) {
          expect(left).toBe(0);
          left = item.sessions;
          sessions += item.sessions;
        } else left--;
      }
      expect(sessions).toBe(rows.length);
    },
  );

  it("sums add up", () => {
    const sum = totals(rows);
    expect(sum.sessions).toBe(rows.length);
    expect(sum.calls).toBe(rows.reduce((n, r) => n + r.calls, 0));
    expect(sum.swamp + sum.bypass).toBeLessThanOrEqual(sum.calls);
  });
});

describe("the state in the URL", () => {
  it("of a plain list is empty, and an empty one is a plain list", () => {
    expect(sortParam(plain.sort)).toBe(null);
    expect(columnsParam(plain.order, plain.hidden)).toBe(null);
    expect(sizesParam(plain.sizes)).toBe(null);
    expect(isFiltered(plain)).toBe(false);
  });

  it("comes back as it went", () => {
    const column = fc.constantFrom(...COLUMN_IDS);
    fc.assert(fc.property(
      fc.shuffledSubarray([...COLUMN_IDS], {
        minLength: COLUMN_IDS.length,
      }),
      fc.subarray([...COLUMN_IDS]),
      fc.uniqueArray(column, { minLength: 1, maxLength: 4 }),
      fc.dictionary(column, fc.integer({ min: 32, max: 900 })),
      (order, hidden, sorted, sizes) => {
        const sort = sorted.map((id, i) => ({ id, desc: i % 2 === 0 }));
        const params = new URLSearchParams();
        const set = (key: string, value: string | null) =>
          value !== null && params.set(key, value);
        set("cols", columnsParam(order, hidden));
        set("sort", sortParam(sort));
        set("size", sizesParam(sizes));
        const state = readState(params);
        expect(state.order).toEqual(order);
        expect(new Set(state.hidden)).toEqual(new Set(hidden));
        expect(state.sort).toEqual(sort);
        expect(state.sizes).toEqual(sizes);
      },
    ));
  });

  it("never breaks the list, whatever someone typed", () => {
    fc.assert(fc.property(fc.string({ maxLength: 200 }), (text) => {
      const state = readState(new URLSearchParams(text));
      expect(state.order.length).toBe(COLUMN_IDS.length);
      expect(state.sort.length).toBeGreaterThan(0);
      filterRows(rows.slice(0, 5), state, DEMO_NOW);
    }));
    const odd = readState(
      new URLSearchParams(
        "sort=nope,-calls&cols=constructor,-repo&size=repo:9e9,calls:x&from=2026-13&last=-3&group=x",
      ),
    );
    expect(odd.sort).toEqual([{ id: "calls", desc: true }]);
    expect(odd.hidden).toEqual(["repo"]);
    expect(odd.sizes).toEqual({});
    expect(odd.from).toBe("");
    expect(odd.last).toBe(0);
    expect(odd.group).toBe("");
  });

  it("of every ready view filters or sorts by things that exist", () => {
    for (const view of READY_VIEWS) {
      const state = readState(new URLSearchParams(view.query));
      expect(isFiltered(state)).toBe(true);
      const keys = [...new URLSearchParams(view.query).keys()];
      for (const key of keys) {
        expect(["last", "sort", "fold", ...FACET_IDS]).toContain(key);
      }
    }
  });
});

describe("a person's own views", () => {
  it("are none where the browser keeps nothing", () => {
    // No localStorage here: reading and keeping must both pass it over.
    keepViews([{ name: "a", query: "q=1" }]);
    expect(ownViews()).toEqual([]);
  });
});
