/**
 * Files of both harnesses with families, forks and orphans, to be put into a
 * home in any order and place.
 *
 * @module
 */
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  call,
  count,
  done,
  event,
  iso,
  lines,
  meta,
  type Rec,
  result,
  turn,
} from "../codex.ts";
import { SID, START, Tape, usage, uuid } from "./claude-home.ts";

/** A file, the folders it may lie in, and its text. */
export interface MixedFile {
  /** Folders below the home; the first is the usual one. */
  folders: readonly string[];
  name: string;
  text: string;
}

const PROJECTS = [
  ".claude/projects/-home-dev-app",
  ".claude/projects/-another",
  ".config/claude/projects/-home-dev-app",
];
const ROLLOUTS = [
  ".codex/sessions/2026/10/05",
  ".codex/archived_sessions",
  ".codex/sessions/2026/10/06",
];
const FORK = uuid(2, 0xff);

/** A Claude Code session with subagents in three layouts, and a fork of it. */
function claudeFiles(): MixedFile[] {
  const root = new Tape({}, START);
  root.user("go");
  root.call("Bash", { command: "npm test" }, { usage: usage(3, 9, 20, 4) });
  const agent = root.call("Agent", {
    prompt: "look",
    subagent_type: "Explore",
  });
  root.result(agent, "done", { toolUseResult: { agentId: "a1" } });
  const flat = root.call("Task", { prompt: "flat one" });
  root.result(flat, "done");
  root.user("[Request interrupted by user]");
  root.add("system", { subtype: "compact_boundary" });
  root.user("on");
  const copied = root.records.length;
  root.assistant("the end of the first");
  const sub = (prompt: string, at: number) => {
    const tape = new Tape({ isSidechain: true }, START + at);
    tape.user(prompt);
    return tape;
  };
  const first = sub("look", 3500);
  const nested = first.call("Agent", { prompt: "deeper" });
  first.result(nested, "done");
  const second = sub("deeper", 4000);
  second.call("Read", { file_path: "/home/dev/app/a.ts" });
  const third = sub("flat one", 5000);
  third.assistant("flat answer", { usage: usage(7, 7, 7, 7) });
  const fork = new Tape({ sessionId: FORK }, root.now + 60_000);
  fork.records.push(
    ...root.records.slice(0, copied).map((r) => ({ ...r, sessionId: FORK })),
  );
  fork.user("another way");
  fork.call("Bash", { command: "git status" }, { usage: usage(1, 5) });
  const below = PROJECTS.map((p) => `${p}/${SID}/subagents`);
  const meta = JSON.stringify({ toolUseId: nested, agentType: "Plan" });
  return [
    { folders: PROJECTS, name: `${SID}.jsonl`, text: root.text() },
    { folders: PROJECTS, name: `${FORK}.jsonl`, text: fork.text() },
    { folders: PROJECTS, name: "agent-a3.jsonl", text: third.text() },
    { folders: below, name: "agent-a1.jsonl", text: first.text() },
    // A sidecar lies beside its transcript.
    { folders: below.slice(0, 1), name: "agent-a2.jsonl", text: second.text() },
    { folders: below.slice(0, 1), name: "agent-a2.meta.json", text: meta },
  ];
}

/** A Codex family, a fork a person made of its root, and an orphan. */
function codexFiles(): MixedFile[] {
  const root: Rec[] = [
    meta(0, "root"),
    ...turn(1, "t1", "Go"),
    call(2, "s", "spawn_agent", { agent_type: "explorer", message: "x" }),
    result(3, "s", '{"agent_id":"kid"}'),
    count(4, [100, 20, 10]),
    event(9, "agent_message", { message: "Done." }),
    done(10, "t1"),
  ];
  const copy = (at: number) =>
    root.slice(0, 6).map((r): Rec => ({ ...r, timestamp: iso(at) }));
  const spawn = (id: string) => ({
    forked_from_id: id,
    source: { subagent: { thread_spawn: { parent_thread_id: id } } },
  });
  const kid: Rec[] = [
    meta(20, "kid", spawn("root")),
    ...copy(20),
    ...turn(21, "k1"),
    call(22, "k", "shell", { command: ["ls", "-la"] }),
    result(23, "k", '{"output":"","metadata":{"exit_code":0}}'),
    count(24, [130, 20, 13]),
    done(25, "k1"),
  ];
  const branch: Rec[] = [
    meta(60, "branch", { forked_from_id: "root" }),
    ...copy(60),
    ...turn(61, "b1", "Another way"),
    count(62, [150, 20, 15]),
  ];
  const orphan: Rec[] = [
    meta(70, "orphan", {
      parent_thread_id: "gone",
      source: { subagent: "review" },
    }),
    ...turn(71, "o1"),
    count(72, [50, 5, 5]),
  ];
  const file = (id: string, records: Rec[]): MixedFile => ({
    folders: ROLLOUTS,
    name: `rollout-2026-10-05T09-00-00-${id}.jsonl`,
    text: lines(records),
  });
  return [
    file("root", root),
    file("kid", kid),
    file("branch", branch),
    file("orphan", orphan),
  ];
}

/** All files; the same text every time. */
export const MIXED: readonly MixedFile[] = [...claudeFiles(), ...codexFiles()];

/** Puts a file, or its beginning, into a home. */
export function put(
  home: string,
  file: MixedFile,
  options: { folder?: number; bytes?: number; mtime?: number } = {},
): void {
  const { folder = 0, bytes, mtime } = options;
  const place = file.folders[folder % file.folders.length] ?? "";
  const path = join(home, place, file.name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, Buffer.from(file.text).subarray(0, bytes));
  if (mtime !== undefined) utimesSync(path, mtime, mtime);
}
