import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HARNESSES } from "../../extension/harness/registry.ts";
import type { HeadCache, Unit } from "../../extension/harness/types.ts";
import {
  begun,
  newestFirst,
  scanHome,
  type Source,
} from "../../extension/import/mod.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Every `.claude` or `.codex` holder below a folder, not too deep. */
function homes(folder: string, depth = 3): string[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return [];
  const names = readdirSync(folder);
  if (names.includes(".claude") || names.includes(".codex")) return [folder];
  return depth === 0
    ? []
    : names.flatMap((name) => homes(join(folder, name), depth - 1));
}

const files = ({ id, files, needs, cwd, startedAt }: Unit) => ({
  id,
  files: files.map((f) => f.path),
  needs: needs.map((f) => f.path),
  cwd,
  startedAt,
});

const AREAS = ["fixtures/homes", "../shared/corpus/homes", "../shared/families"]
  .map((area) => [area, homes(join(ROOT, area))] as const);

// The shared ones are skipped where they are not beside this repository.
describe.each(AREAS)("a scan for one session of %s", (_area, all) => {
  it.skipIf(all.length === 0)(
    "finds it whole, with the same files as a scan of everything",
    async () => {
      for (const home of all) {
        for (const harness of HARNESSES) {
          const look = (only?: string) =>
            harness.scan({ home, vars: {} }, {
              heads: { get: () => undefined, put: () => {} },
              ...(only === undefined ? {} : { only }),
            });
          const { units } = await look();
          for (const unit of units) {
            const found = (await look(unit.id)).units
              .filter(({ id }) => id === unit.id);
            // Where names tell nothing it may find none, never a part.
            if (found.length === 0) {
              expect(unit.files[0]?.path).not.toContain(unit.id);
            } else expect(found.map(files), home).toEqual([files(unit)]);
          }
        }
      }
    },
  );
});

describe("a scan for one session", () => {
  it("opens no file whose name rules it out", async () => {
    for (const home of homes(join(ROOT, "fixtures/homes"))) {
      for (const harness of HARNESSES) {
        const asked: string[] = [];
        const { units } = await harness.scan({ home, vars: {} }, {
          heads: {
            get: ({ path }) => void asked.push(path),
            put: () => {},
          },
          only: "00000000-0000-4000-8000-no-such",
        });
        expect([units, asked], home).toEqual([[], []]);
      }
    }
  });
});

/** Remembers nothing, and notes the files whose heads were read. */
function noting(): { heads: HeadCache; read: Set<string> } {
  const read = new Set<string>();
  const put = ({ path }: { path: string }) => void read.add(basename(path));
  return { heads: { get: () => undefined, put }, read };
}

const { signal } = new AbortController();

async function all(
  home: string,
  heads: HeadCache,
  since?: number,
): Promise<Source[]> {
  const given: Source[] = [];
  for await (
    const source of newestFirst({ home, vars: {} }, [], heads, signal, since)
  ) given.push(source);
  return given;
}

describe.each(AREAS)("the newest sessions of %s first", (_area, homes) => {
  it.skipIf(homes.length === 0)(
    "are the same as all of a scan, in order",
    async () => {
      for (const home of homes) {
        const env = { home, vars: {} };
        const { sources } = await scanHome(env, [], noting().heads, signal);
        const given = await all(home, noting().heads);
        const key = ({ unit }: Source) => JSON.stringify(files(unit));
        expect(given.map(key).sort(), home).toEqual(sources.map(key).sort());
        const times = given.map(({ unit }) => begun(unit));
        expect(times, home).toEqual([...times].sort((a, b) => b - a));
      }
    },
  );
});

describe("a home of many sessions", () => {
  const home = mkdtempSync(join(tmpdir(), "many-"));
  const MANY = 300, HOUR = 3600_000;
  const start = Date.parse("2026-10-01T00:00:00.000Z");
  const idOf = (n: number) =>
    `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
  const pathOf = (n: number) => {
    const time = new Date(start + n * HOUR).toISOString();
    return n % 3 === 0
      ? join(
        home,
        ".codex/sessions",
        time.slice(0, 10).replaceAll("-", "/"),
        `rollout-${time.slice(0, 19).replaceAll(":", "-")}-${idOf(n)}.jsonl`,
      )
      : join(home, ".claude/projects/-src-app", `${idOf(n)}.jsonl`);
  };

  /** A session of one prompt; of Claude Code it may begin as another does. */
  function write(n: number, lasts = HOUR / 2, copyOf = n): void {
    const at = (ms: number) => new Date(ms).toISOString();
    const timestamp = at(start + copyOf * HOUR);
    const talk = (type: string, m: number, i: number) => ({
      type,
      uuid: `${idOf(m)}-${i}`,
      sessionId: idOf(n),
      cwd: "/src/app",
      timestamp: at(start + m * HOUR + i),
      message: { role: type, content: "x".repeat(3000) },
    });
    const records = n % 3 === 0
      ? [{
        timestamp,
        type: "session_meta",
        payload: { id: idOf(n), timestamp, cwd: "/src/app" },
      }]
      : [copyOf, n].flatMap((m) =>
        [0, 1, 2, 3, 4].map((i) => talk(i % 2 ? "assistant" : "user", m, i))
      );
    const path = pathOf(n);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(
      path,
      records.map((r) => JSON.stringify(r)).join("\n") + "\n",
    );
    const end = new Date(start + n * HOUR + lasts);
    utimesSync(path, end, end);
  }

  beforeAll(() => {
    for (let n = 0; n < MANY; n++) write(n);
    write(10, MANY * HOUR);
    write(290, undefined, 40);
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it("shows the newest before it looked at the others", async () => {
    const { heads, read } = noting();
    const given: string[] = [];
    for await (
      const { unit } of newestFirst({ home, vars: {} }, [], heads, signal)
    ) {
      given.push(unit.id);
      if (given.length === 20) break;
    }
    // The one that goes on from an older one began with that.
    const latest = Array.from({ length: 21 }, (_, i) => MANY - 1 - i);
    expect(given).toEqual(latest.filter((n) => n !== 290).map(idOf));
    expect(read.size).toBeLessThan(MANY / 2);
  });

  it("gives each session once, in order, whatever went on for long", async () => {
    const given = await all(home, noting().heads);
    const times = given.map(({ unit }) => begun(unit));
    expect(times).toEqual([...times].sort((a, b) => b - a));
    expect(new Set(given.map(({ unit }) => unit.id)).size).toBe(MANY);
  });

  it("with a bound misses none that was active since", async () => {
    const since = start + (MANY - 20) * HOUR;
    const given = await all(home, noting().heads, since);
    const active = given.filter(({ unit }) =>
      unit.files.some((file) => file.mtimeMs >= since)
    ).map(({ unit }) => unit.id);
    const wanted = Array.from({ length: 20 }, (_, i) => idOf(MANY - 20 + i));
    expect(active.sort()).toEqual([idOf(10), ...wanted].sort());
  });

  it("reads the head of one session, and of those that share its history", async () => {
    const heads = async (n: number) => {
      const { heads, read } = noting();
      for (const { scan } of HARNESSES) {
        const { units } = await scan({ home, vars: {} }, {
          heads,
          only: idOf(n),
        });
        for (const unit of units) expect(unit.id).toBe(idOf(n));
      }
      return [...read].sort();
    };
    expect(await heads(20)).toEqual([basename(pathOf(20))]);
    expect(await heads(30)).toEqual([basename(pathOf(30))]);
    expect(await heads(40)).toEqual([40, 290].map((n) => basename(pathOf(n))));
    expect(await heads(290)).toEqual([40, 290].map((n) => basename(pathOf(n))));
  });
});
