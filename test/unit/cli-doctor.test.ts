/** What `doctor` says of homes in which something is odd. */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { fakeIo } from "../../extension/cli/fake-io.test-support.ts";
import { main } from "../../extension/cli/program.ts";
import type { Drift } from "../../extension/import/survey.ts";
import { type HarnessSurvey, tooMuch } from "../../extension/import/mod.ts";
import { CodexHome, count, event, meta, rec, turn } from "../codex.ts";
import { Home, SID, START, Tape, uuid } from "../oracle/claude-home.ts";
import { tempHome } from "../oracle/oracle.ts";

const clean: (() => void)[] = [];
afterEach(() => clean.splice(0).forEach((remove) => remove()));

function claudeHome(): Home {
  const home = new Home();
  clean.push(() => home.remove());
  return home;
}

async function doctor(
  home: string,
  ...options: string[]
): Promise<{ code: number; out: string }> {
  const cwd = tempHome();
  clean.push(() => rmSync(cwd, { recursive: true }));
  const io = fakeIo({ cwd, home });
  const code = await main(["doctor", ...options], io);
  return { code, out: io.out() };
}

interface Report {
  ok: boolean;
  reasons: string[];
  unknownPercent: number;
  damagedPercent: number;
  harnesses: HarnessSurvey[];
}

async function report(
  home: string,
  ...options: string[]
): Promise<Report & { code: number }> {
  const { code, out } = await doctor(home, "--json", ...options);
  return { code, ...JSON.parse(out) as Report };
}

/** A session of about ten records. */
function talk(id = SID): Tape {
  const tape = new Tape({ sessionId: id });
  for (let i = 0; i < 4; i++) {
    tape.user(`prompt ${i}`);
    tape.call("Bash", { command: "ls" });
  }
  return tape;
}

describe("new record types", () => {
  it("are counted by name, and are drift where several sessions have many", async () => {
    const home = claudeHome();
    for (const n of [1, 2]) {
      const tape = talk(uuid(n));
      tape.add("hologram", { data: {} });
      tape.flat("weather", {});
      home.write(`${uuid(n)}.jsonl`, tape);
    }
    const found = await report(home.dir);
    expect([found.code, found.ok]).toEqual([1, false]);
    expect(found.reasons[0]).toMatch(/20\.0 % of records are of unknown types/);
    expect(found.harnesses[0]).toMatchObject({
      records: 20,
      unknownRecords: { hologram: 2, weather: 2 },
      sessionsWithUnknown: 2,
      sessions: 2,
      calls: 8,
    });
    const { code, out } = await doctor(home.dir, "--max-unknown", "20");
    expect(code).toBe(0);
    expect(out).toMatch(/unknown records.*hologram 2, weather 2/);
  });

  it("of Codex, too: records, events, items", async () => {
    const home = new CodexHome();
    clean.push(() => home.remove());
    for (const id of ["a", "b"]) {
      home.rollout(id, [
        meta(0, id),
        ...turn(1, `${id}1`, "go"),
        rec(2, "hologram", {}),
        event(3, "weather"),
        rec(4, "response_item", { type: "dream" }),
        count(5, [10, 0, 5]),
      ]);
    }
    const found = await report(home.path);
    expect(found.code).toBe(1);
    expect(found.harnesses[1]?.unknownRecords).toEqual({
      "event_msg/weather": 2,
      hologram: 2,
      "response_item/dream": 2,
    });
  });

  it("in one odd session fail nothing, unless nothing is allowed", async () => {
    const home = claudeHome();
    const odd = talk();
    for (let i = 0; i < 9; i++) odd.add("hologram");
    home.write(`${SID}.jsonl`, odd);
    expect((await report(home.dir)).code).toBe(0);
    expect((await report(home.dir, "--max-unknown", "0")).code).toBe(1);
  });

  it("with hostile names break nothing", async () => {
    const home = claudeHome();
    const tape = talk();
    for (const type of ["__proto__", "\u001b[31m\u202e", "x".repeat(5000)]) {
      tape.add(type);
    }
    home.write(`${SID}.jsonl`, tape);
    const { out } = await doctor(home.dir);
    expect(out).toContain("__proto__ 1");
    for (const hostile of ["\u202e", "\u001b[31m", "x".repeat(100)]) {
      expect(out).not.toContain(hostile);
    }
    const [survey] = (await report(home.dir)).harnesses;
    expect(Object.keys(survey?.unknownRecords ?? {})).toContain("__proto__");
  });
});

describe("damage and refusals", () => {
  it("damaged lines are a share of all lines", async () => {
    const home = claudeHome();
    for (const n of [1, 2]) {
      home.write(
        `${uuid(n)}.jsonl`,
        `${talk(uuid(n)).text()}{"torn\n{"type":"mode"}\n`,
      );
    }
    const found = await report(home.dir);
    expect([found.code, found.damagedPercent]).toEqual([1, 10]);
    expect(found.reasons[0]).toContain("2 sessions");
    expect((await report(home.dir, "--max-damaged", "10")).code).toBe(0);
  });

  it("files without a session are one group, whatever their number, and no fault", async () => {
    const home = claudeHome();
    home.write(`${SID}.jsonl`, talk());
    for (let n = 0; n < 40; n++) {
      home.write(`${uuid(n, 7)}.jsonl`, '{"type":"summary","summary":"x"}\n');
    }
    home.write(`${uuid(99)}.jsonl`, "");
    const { code, out } = await doctor(home.dir);
    expect(code).toBe(0);
    expect(out).toContain("40 files: no conversation was found");
    expect(out).toContain("and 37 more");
    expect(out.split("\n").length).toBeLessThan(30);
    const [survey] = (await report(home.dir)).harnesses;
    expect(survey?.refused.map((g) => [g.code, g.count, g.files.length]))
      .toEqual([["NO_SESSION", 40, 3], ["EMPTY", 1, 1]]);
    expect(survey?.problems.length).toBe(41);
  });
});

describe("roots, links and tools", () => {
  it("each folder's figures stand by themselves and add up", async () => {
    const home = claudeHome();
    const parent = talk(uuid(1));
    const id = parent.call("Agent", { prompt: "look" });
    parent.result(id, "done");
    const child = new Tape({ isSidechain: true }, START + 1000);
    child.user("look");
    const lost = new Tape({ isSidechain: true }, START + 1000);
    lost.user("nobody asked for this");
    home.write(`${uuid(1)}.jsonl`, parent)
      .write(`${uuid(1)}/subagents/agent-a1.jsonl`, child)
      .write(`${uuid(1)}/subagents/agent-a2.jsonl`, lost)
      .write(`~/.config/claude/projects/-p/${uuid(2)}.jsonl`, talk(uuid(2)));
    const [survey] = (await report(home.dir)).harnesses;
    expect(survey?.roots.map((r) => [r.files, r.sessions, r.subagents.count]))
      .toEqual([[3, 1, 2], [1, 1, 0]]);
    expect(survey).toMatchObject({
      files: 4,
      sessions: 2,
      subagents: { count: 2, linked: 1, parentGone: 0 },
      evidence: { prompt: 1 },
      versions: { "2.1.100": 2 },
    });
    const { out } = await doctor(home.dir);
    expect(out).toContain("3 files, 1 session, 2 subagents");
    expect(out).toMatch(/50 % linked[^]*linked by\s+prompt 1/);
  });

  it("tools that nobody knows are named, those that may write apart", async () => {
    const home = claudeHome();
    const tape = talk();
    tape.call("HologramWrite", { target: "x" });
    tape.call("Divine", {});
    tape.call("Divine", {});
    home.write(`${SID}.jsonl`, tape);
    const [survey] = (await report(home.dir)).harnesses;
    expect(survey?.otherTools).toEqual({ Divine: 2, HologramWrite: 1 });
    expect(survey?.writeLikeTools).toEqual({ HologramWrite: 1 });
  });

  it("an empty home is no fault and shows where it looked", async () => {
    const home = tempHome();
    mkdirSync(join(home, ".claude/projects"), { recursive: true });
    clean.push(() => rmSync(home, { recursive: true }));
    const { code, out } = await doctor(home);
    expect(code).toBe(0);
    expect(out).toContain("0 files, 0 sessions, 0 subagents");
    expect(out).toContain("not there");
  });
});

describe("a drift is too much", () => {
  const drift: Drift = {
    sessions: 100,
    unknown: 1.5,
    damaged: 0.5,
    sessionsWithUnknown: 2,
    sessionsWithDamage: 2,
  };
  it.each<[string, Partial<Drift>, number, number]>([
    ["above the limit", {}, 1, 1],
    ["not at the limit", {}, 1.5, 0],
    ["not in one session", { sessionsWithUnknown: 1 }, 1, 0],
    ["in one session where none is allowed", { sessionsWithUnknown: 1 }, 0, 1],
    ["not where there is none", { unknown: 0, sessionsWithUnknown: 0 }, 0, 0],
  ])("%s", (_, more, unknown, reasons) => {
    expect(tooMuch({ ...drift, ...more }, { unknown, damaged: 1 }).length)
      .toBe(reasons);
  });
});
