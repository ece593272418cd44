/** A small harness of our own, and homes and trees to try the importer on. */
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type {
  Harness,
  Problem,
  SourceFile,
  Unit,
} from "../../extension/harness/types.ts";
import { parseRecords, readLines } from "../../extension/harness/lines.ts";
import { importSessions } from "../../extension/import/mod.ts";
import type {
  ImportDeps,
  ImportOptions,
  ImportResult,
} from "../../extension/import/types.ts";
import { SessionBuilder } from "../../extension/session/builder.ts";
import { PrivateText } from "../../extension/session/private-text.ts";
import {
  type EmbeddedOptions,
  EmbeddedStore,
} from "../../extension/store/embedded.ts";

const folders: string[] = [];

/** A new folder, removed by `cleanUp`. */
export function folder(name = "sessions-"): string {
  const path = mkdtempSync(join(tmpdir(), name));
  folders.push(path);
  return path;
}

/** Removes every folder made. */
export function cleanUp(): void {
  for (const path of folders.splice(0)) {
    rmSync(path, { recursive: true, force: true });
  }
}

/** One line of the fake harness's files. */
export type FakeEvent =
  | { do: "start"; at: number; cwd?: string; remote?: string; model?: string }
  | { do: "prompt"; at: number }
  | {
    do: "call";
    at: number;
    id: string;
    tool?: string;
    kind?: "shell" | "path";
    text: string;
    writes?: string[];
    exit?: number;
    end?: number;
  }
  | { do: "tokens"; at: number; id: string; input: number; output: number }
  | { do: "child"; at: number; id: string; call: string }
  | { do: "throw" };

/** The text of a session file. */
export function fakeText(events: readonly FakeEvent[]): string {
  return events.map((e) => JSON.stringify(e) + "\n").join("");
}

/** A small whole session. */
export function fakeSession(
  cwd: string,
  at = Date.parse("2026-10-05T09:00:00.000Z"),
  calls = 3,
): FakeEvent[] {
  return [
    { do: "start", at, cwd, model: "model-a" },
    { do: "prompt", at },
    ...Array.from({ length: calls }, (_, i): FakeEvent => ({
      do: "call",
      at: at + 1000 * (i + 1),
      id: `call-${i + 1}`,
      text: i === 0 ? "aws s3 rm s3://bucket/key" : `git show ${i}`,
      exit: 0,
      end: at + 1000 * (i + 1) + 500,
    })),
    { do: "tokens", at: at + 9000, id: "m1", input: 10, output: 20 },
  ];
}

/** Writes a session file into a home. */
export function writeFake(
  home: string,
  id: string,
  events: readonly FakeEvent[] | string,
): string {
  mkdirSync(join(home, ".fake"), { recursive: true });
  const path = join(home, ".fake", `${encodeURIComponent(id)}.jsonl`);
  writeFileSync(path, typeof events === "string" ? events : fakeText(events));
  return path;
}

/** Counts what the fake harness does. */
export interface FakeCounts {
  heads: number;
  reads: number;
}

/** The harness itself. */
export function fakeHarness(
  counts: FakeCounts = { heads: 0, reads: 0 },
  onRead?: (unit: Unit) => void | Promise<void>,
  name = "fake",
): Harness {
  return {
    name,
    title: "Fake",
    async scan(env, context) {
      const root = join(env.home, `.${name}`);
      const units: Unit[] = [];
      const problems: Problem[] = [];
      let names: string[];
      try {
        names = readdirSync(root).sort();
      } catch {
        return {
          units,
          problems,
          roots: [{ path: root, exists: false, files: 0 }],
        };
      }
      for (const file of names) {
        const path = join(root, file);
        const stat = statSync(path);
        const source: SourceFile = {
          path,
          size: stat.size,
          mtimeMs: stat.mtimeMs,
        };
        if (stat.size === 0) {
          problems.push({ file: path, code: "EMPTY", message: "empty" });
          continue;
        }
        let head = context.heads.get(source) as { cwd?: string } | undefined;
        if (!head) {
          counts.heads++;
          head = {};
          await readLines(path, (line) => {
            const cwd = parseRecords(line)?.[0]?.cwd;
            if (typeof cwd === "string") head!.cwd ??= cwd;
          }).catch(() => undefined);
          context.heads.put(source, head);
        }
        units.push({
          harness: name,
          id: decodeURIComponent(file.replace(/\.jsonl$/, "")),
          files: [source],
          needs: [],
          ...(head.cwd ? { cwd: head.cwd } : {}),
        });
      }
      return {
        units,
        problems,
        roots: [{ path: root, exists: true, files: names.length }],
      };
    },
    async read(unit, context) {
      counts.reads++;
      await onRead?.(unit);
      const root = new SessionBuilder(name, unit.id, "main", context.analyst);
      const children = new Map<string, SessionBuilder>();
      const problems: Problem[] = [];
      const path = unit.files[0]!.path;
      let known = 0;
      try {
        const lines = await readLines(path, (line) => {
          const event = parseRecords(line)?.[0] as FakeEvent | undefined;
          if (!event) {
            root.session.badLines++;
            return;
          }
          known++;
          play(event, root, children, context.analyst, name);
        }, context);
        root.session.bytes = lines.bytes;
        root.session.files = 1;
      } catch (error) {
        if ((error as Error).message === "fake bug") throw error;
        if (context.signal?.aborted) throw error;
        problems.push({ file: path, code: "UNREADABLE", message: "cannot" });
        return { subagents: [], problems };
      }
      if (known === 0) {
        problems.push({ file: path, code: "NO_SESSION", message: "none" });
        return { subagents: [], problems };
      }
      return {
        session: root.finish(),
        subagents: [...children.values()].map((c) => c.finish()),
        problems,
      };
    },
  };
}

function play(
  event: FakeEvent,
  root: SessionBuilder,
  children: Map<string, SessionBuilder>,
  analyst: ConstructorParameters<typeof SessionBuilder>[3],
  harness: string,
): void {
  if (event.do === "throw") throw new Error("fake bug");
  root.seen(event.at);
  switch (event.do) {
    case "start":
      root.note("cwds", event.cwd);
      if (event.remote) root.session.remote = event.remote;
      if (event.model) root.model(event.model);
      break;
    case "prompt":
      root.startTurn(event.at, "prompt");
      break;
    case "tokens":
      root.usage(event.id, event.at, "model-a", {
        input: event.input,
        output: event.output,
        cacheRead: 0,
        cacheWrite: 0,
      });
      break;
    case "child": {
      const child = new SessionBuilder(harness, event.id, "subagent", analyst);
      child.session.parent = {
        session: root.session.id,
        call: event.call,
        evidence: "record",
      };
      child.seen(event.at);
      child.startTurn(event.at, "subagent");
      child.call("call-1", "Bash", event.at, {
        kind: "shell",
        text: new PrivateText("git status"),
      });
      children.set(event.id, child);
      const call = root.session.calls.get(event.call);
      if (call) call.subagent = event.id;
      break;
    }
    case "call": {
      const call = root.call(event.id, event.tool ?? "Bash", event.at, {
        kind: event.kind ?? "shell",
        text: new PrivateText(event.text),
        ...(event.writes
          ? { writes: event.writes.map((w) => new PrivateText(w)) }
          : {}),
      });
      if (event.end !== undefined) {
        root.end(call, event.end, event.exit ? "failed" : "ok", event.exit);
        root.extendTurn(event.end);
        root.seen(event.end);
      }
    }
  }
}

/** Imports a home into a repository, made where it is none. */
export async function run(
  home: string,
  repo: string,
  options: Partial<ImportOptions & EmbeddedOptions> = {},
  deps: Partial<ImportDeps> = {},
): Promise<ImportResult> {
  const store = await EmbeddedStore.open({
    repo,
    init: true,
    ...(options.force ? { force: true } : {}),
    ...(options.dryRun ? { readOnly: true } : {}),
  });
  return importSessions({ all: true, ...options, repo }, {
    store,
    harnesses: [fakeHarness()],
    env: { home, vars: {} },
    ...deps,
  });
}

/** Every file and folder below, with its times: equal trees were not touched. */
export function tree(root: string): string[] {
  const all: string[] = [];
  const walk = (path: string) => {
    for (const name of readdirSync(path).sort()) {
      const full = join(path, name);
      const stat = lstatSync(full);
      all.push(
        `${full.slice(root.length)} ${stat.mtimeMs} ${stat.ino} ${
          stat.isDirectory() ? "" : stat.size
        }`,
      );
      if (stat.isDirectory()) walk(full);
    }
  };
  walk(root);
  return all;
}
