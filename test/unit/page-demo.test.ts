import { describe, expect, it } from "vitest";
import {
  getDetail,
  getSummary,
  type ListPage,
  listSessions,
} from "../../dashboard-page/client/queries.ts";
import { detailSchema, summarySchema } from "../../schema/mod.ts";
import { DEMO_NOW, demoData } from "../browser/demo-data.ts";
import { demoRequest } from "../browser/demo-server.ts";

describe("the demo data", () => {
  const data = demoData({ sessions: 60, big: true });

  it("satisfies the contract", () => {
    for (const s of data.summaries) {
      summarySchema.parse(s);
      detailSchema.parse(data.detail(s.id));
    }
  });

  it("has details that add up to their summaries", () => {
    for (const s of data.summaries) {
      const d = data.detail(s.id);
      const calls = [d.session, ...d.subagents].flatMap((x) => x.turns)
        .flatMap((t) => t.calls);
      expect(calls.length).toBe(s.calls);
      expect(calls.filter((c) => c.label === "bypass").length).toBe(
        s.labels.bypass,
      );
      expect(calls.filter((c) => c.state === "failed").length).toBe(
        s.failedCalls,
      );
      expect(d.subagents.length).toBe(s.subagents.count);
    }
  });

  it("is the same every time", () => {
    expect(demoData({ sessions: 60, big: true }).summaries).toEqual(
      data.summaries,
    );
  });
});

describe("the queries", () => {
  const data = demoData({ sessions: 40, newer: 3 });
  const request = demoRequest(data.items);

  it("lists every session at under 300 bytes a row", async () => {
    const pages: ListPage[] = [];
    const seen: unknown[] = [];
    await listSessions(
      async (type, payload) => {
        const answer = await request(type, payload);
        seen.push(answer);
        return answer;
      },
      DEMO_NOW,
      (page) => pages.push(page),
      new AbortController().signal,
    );
    expect(pages.flatMap((p) => p.rows).length).toBe(37);
    expect(pages.flatMap((p) => p.newer).map((n) => n.newer)).toEqual(
      ["2", "2", "2"],
    );
    expect(seen.length).toBe(2);
    expect(JSON.stringify(seen).length / 40).toBeLessThan(300);
  });

  it("reads back a summary and a detail", async () => {
    const s = data.summaries[5];
    if (!s) throw new Error("no session");
    expect(await getSummary(request, s.id)).toEqual(s);
    expect(await getDetail(request, s.id)).toEqual({
      ok: true,
      value: data.detail(s.id),
    });
  });
});
