/**
 * Files -> units: which files belong to which session, whatever the order in
 * which the folders list them.
 *
 * @module
 */
import { setImmediate as nextTick } from "node:timers/promises";
import type {
  HarnessEnv,
  Problem,
  ProblemCode,
  Scan,
  ScanContext,
  SourceFile,
  Unit,
} from "../types.ts";
import { CLOCKS_MS, newestOf } from "../types.ts";
import {
  discover,
  type Found,
  subagentsOf,
  type SubFile,
  type TopFile,
} from "./discover.ts";
import { type Head, headOf, mayShare, sessionIdOf } from "./heads.ts";
import { isUuid } from "./ids.ts";
import type { Relative } from "./lineage.ts";
import type { ChildFile, UnitState } from "./read.ts";

/** Most files that are compared with one to find what was copied. */
const RELATIVES = 40;

const MESSAGES: Partial<Record<ProblemCode, string>> = {
  EMPTY: "the file is empty; nothing was imported, and it may be deleted",
  BINARY:
    "the file is no text; nothing was imported: move it out of the projects folder",
  NO_SESSION:
    "no conversation was found in it (only titles or settings, or another format); nothing was imported",
  STREAM_CAPTURE:
    "this is the output of `claude -p --output-format stream-json`, not a transcript; the session's own file lies in the projects folder and is imported from there: move this one away",
  UNREADABLE:
    "the file could not be opened; check its permissions and import again",
};

interface Session {
  id: string;
  top: TopFile;
  head: Head;
}

const compare = (a: string, b: string): number => a < b ? -1 : a > b ? 1 : 0;

/** Of two copies of a file the longer; the path decides between equals. */
const longer = (a: SourceFile, b: SourceFile): boolean =>
  a.size !== b.size ? a.size > b.size : a.path < b.path;

class Grouping {
  readonly problems: Problem[] = [];
  readonly sessions = new Map<string, Session>();
  readonly children = new Map<string, Map<string, ChildFile>>();
  /** Session ids by the file they were found in, without `.jsonl`. */
  readonly owners = new Map<string, string>();
  /** Files of sessions that were left unread, by the same names. */
  readonly left = new Set<string>();
  #context: ScanContext;

  constructor(context: ScanContext) {
    this.#context = context;
  }

  /** The head of a file; undefined (and a problem) where it holds nothing. */
  head(file: SourceFile, stem: string): Head | undefined {
    if (file.size === 0) return this.#refuse(file, "EMPTY");
    let head: Head;
    try {
      head = headOf(file, stem, this.#context.heads);
    } catch {
      return this.#refuse(file, "UNREADABLE");
    }
    return head.problem ? this.#refuse(file, head.problem) : head;
  }

  /** The head of a subagent's file; its problems show when it is read. */
  orphanHead(file: SourceFile): Head | undefined {
    try {
      return headOf(file, "", this.#context.heads);
    } catch {
      return undefined;
    }
  }

  #refuse(file: SourceFile, code: ProblemCode): undefined {
    this.problems.push({
      file: file.path,
      code,
      message: MESSAGES[code] ?? "the file was not imported",
    });
  }

  session(top: TopFile): void {
    const head = this.head(top.file, top.stem);
    if (!head) return;
    const id = sessionIdOf(top.stem, head);
    this.owners.set(`${top.dir}\0${top.stem}`, id);
    const known = this.sessions.get(id);
    if (!known || longer(top.file, known.top.file)) {
      this.sessions.set(id, { id, top, head });
    }
  }

  leave(top: TopFile): void {
    this.left.add(`${top.dir}\0${top.stem}`);
  }

  flatAgent(top: TopFile): void {
    const head = this.head(top.file, top.stem);
    if (!head) return;
    this.child(head.session ?? top.stem, {
      agent: top.stem.slice("agent-".length),
      file: top.file,
      flat: true,
    });
  }

  agent({ dir, owner, file, ...child }: SubFile): void {
    if (this.left.has(`${dir}\0${owner}`)) return;
    if (file.size === 0) {
      this.head(file, "");
      return;
    }
    const parent = this.owners.get(`${dir}\0${owner}`) ?? owner;
    this.child(parent, { ...child, file, flat: false });
  }

  child(parent: string, child: ChildFile): void {
    const list = this.children.get(parent) ?? new Map<string, ChildFile>();
    this.children.set(parent, list);
    const known = list.get(child.agent);
    if (!known || longer(child.file, known.file)) list.set(child.agent, child);
  }
}

/** The ids that a file begins with: those that share one may share history. */
const idsOf = (head: Head): number[] => [...head.uuids, ...head.responses];

/**
 * Whose history began first comes first; of those that share it the one that
 * was left first, which mostly is the origin of all.
 */
const byAge = (a: Session, b: Session): number =>
  (a.head.at ?? 0) - (b.head.at ?? 0) ||
  a.top.file.mtimeMs - b.top.file.mtimeMs || compare(a.id, b.id);

/**
 * Sessions that may share history: those whose files begin with one of the
 * same ids, or name each other. Of a thousand that do only the oldest are
 * looked at, so that the work does not grow with the square of their number.
 */
class Families {
  #sessions: ReadonlyMap<string, Session>;
  /** The oldest of those that begin with the same id. */
  #groups = new Map<string, Session[][]>();
  #named = new Map<string, Session[]>();

  constructor(sessions: ReadonlyMap<string, Session>) {
    this.#sessions = sessions;
    const byId = new Map<number, Session | Session[]>();
    for (const session of sessions.values()) {
      for (const shared of idsOf(session.head)) {
        const known = byId.get(shared);
        if (known === undefined) byId.set(shared, session);
        else if (Array.isArray(known)) known.push(session);
        else if (known !== session) byId.set(shared, [known, session]);
      }
      const origin = this.#originOf(session);
      if (origin) this.#relate(session, origin);
    }
    for (const group of byId.values()) {
      if (!Array.isArray(group)) continue;
      const oldest = [...group].sort(byAge).slice(0, RELATIVES + 1);
      for (const { id } of group) put(this.#groups, id, oldest);
    }
    this.#continued();
    for (const named of this.#named.values()) {
      if (named.length > RELATIVES) named.sort(byAge).splice(RELATIVES);
    }
  }

  /** A file that begins at a compaction goes on with a conversation of another. */
  #continued(): void {
    for (const session of this.#sessions.values()) {
      const { id, head: { at, boundary }, top } = session;
      if (!boundary || at === undefined) continue;
      if (this.#groups.has(id) || this.#named.has(id)) continue;
      for (const other of this.#sessions.values()) {
        if (
          other.top.dir === top.dir && (other.head.at ?? Infinity) < at &&
          other.top.file.mtimeMs >= at
        ) this.#relate(session, other);
      }
    }
  }

  #relate(a: Session, b: Session): void {
    put(this.#named, a.id, b);
    put(this.#named, b.id, a);
  }

  /** The session that one says it was forked from. */
  #originOf({ id, head }: Session): Session | undefined {
    return head.forkedFrom === undefined || head.forkedFrom === id
      ? undefined
      : this.#sessions.get(head.forkedFrom);
  }

  /** Those of one session: its origins as it says, then the oldest. */
  of(session: Session): Session[] {
    const found = new Set<Session>();
    for (
      let origin = this.#originOf(session);
      origin && origin !== session && !found.has(origin);
      origin = this.#originOf(origin)
    ) found.add(origin);
    const others = new Set([
      ...this.#named.get(session.id) ?? [],
      ...new Set(this.#groups.get(session.id)),
    ].flat());
    for (const other of [...others].sort(byAge)) found.add(other);
    found.delete(session);
    return [...found].slice(0, RELATIVES);
  }
}

function put<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/** What the reader needs of a session that may share history. */
function relative(
  { id, top, head }: Session,
  children: Grouping["children"],
  own: readonly ChildFile[],
): Relative {
  const theirs = children.get(id);
  const agents = new Map(own.flatMap(({ agent }) => {
    const file = theirs?.get(agent)?.file;
    return file ? [[agent, file] as const] : [];
  }));
  return {
    id,
    file: top.file,
    ...(head.forkedFrom === undefined ? {} : { forkedFrom: head.forkedFrom }),
    ...(agents.size === 0 ? {} : { agents }),
  };
}

/**
 * Reads the heads of the sessions asked for and of what may belong to them.
 * Whoever shares a session's history lies in the same project and was written
 * to after that history began, or is named as the one it was forked from.
 */
function readNarrowly(
  env: HarnessEnv,
  found: Found,
  grouping: Grouping,
  { only = "", signal }: ScanContext,
): undefined {
  const asked = (top: TopFile) =>
    top.stem.startsWith(only) || !isUuid(top.stem);
  for (const top of found.sessions) if (asked(top)) grouping.session(top);
  const mine = [...grouping.sessions.values()]
    .filter(({ id }) => id.startsWith(only));
  const since = Math.min(...mine.map(({ head }) => head.at ?? 0)) - CLOCKS_MS;
  const late = (top: TopFile) => top.file.mtimeMs >= since;
  const ids = new Set(mine.flatMap(({ head }) => idsOf(head)));
  const responses = mine.some(({ head }) => head.responses.length > 0);
  // Whatever was written before a compaction may go on in such a file.
  const any = mine.some(({ head }) => head.boundary);
  for (const top of found.sessions) {
    if (asked(top) || !late(top)) continue;
    if (any || mayShare(top.file, ids, responses)) grouping.session(top);
  }
  for (const top of found.flatAgents) if (late(top)) grouping.flatAgent(top);
  for (const { head: { forkedFrom } } of mine) {
    if (forkedFrom === undefined || grouping.sessions.has(forkedFrom)) continue;
    for (const top of discover(env, signal, forkedFrom).sessions) {
      if (top.stem === forkedFrom) grouping.session(top);
    }
  }
}

/** Reads the heads of the files; {@link Scan.since} where not of all. */
async function readHeads(
  found: Found,
  grouping: Grouping,
  { signal, newest = Infinity }: ScanContext,
): Promise<number | undefined> {
  const flat = new Set(found.flatAgents);
  const { kept, since } = newestOf(
    [...found.sessions, ...found.flatAgents],
    newest,
    (top) => top.file.mtimeMs,
  );
  if (since !== undefined) {
    const read = new Set(kept);
    for (const top of found.sessions) if (!read.has(top)) grouping.leave(top);
  }
  let lastYield = performance.now();
  for (const top of kept) {
    if (flat.has(top)) grouping.flatAgent(top);
    else grouping.session(top);
    if (performance.now() - lastYield < 50) continue;
    signal?.throwIfAborted();
    await nextTick();
    lastYield = performance.now();
  }
  return since;
}

/** Finds the sessions of a home with the files that belong to each. */
export async function scanHome(
  env: HarnessEnv,
  context: ScanContext,
): Promise<Scan> {
  const { only, signal } = context;
  const found = discover(env, signal, only);
  const grouping = new Grouping(context);
  const since = only === undefined
    ? await readHeads(found, grouping, context)
    : readNarrowly(env, found, grouping, context);
  for (const file of found.agents) grouping.agent(file);
  if (only !== undefined) {
    // Folders of others were passed over.
    for (const { top } of grouping.sessions.values()) {
      if (top.stem.startsWith(only)) continue;
      for (const file of subagentsOf(top.dir, top.stem)) grouping.agent(file);
    }
  }
  const families = new Families(grouping.sessions);
  const units: Unit[] = [];
  const ids = new Set([
    ...grouping.sessions.keys(),
    ...grouping.children.keys(),
  ]);
  for (const id of ids) {
    if (only !== undefined && !id.startsWith(only)) continue;
    const session = grouping.sessions.get(id);
    const children = [...grouping.children.get(id)?.values() ?? []]
      .sort((a, b) => compare(a.agent, b.agent));
    const kin = (session ? families.of(session) : [])
      .map((one) => relative(one, grouping.children, children));
    const first = children[0];
    if (
      !session && since !== undefined &&
      children.every(({ file }) => file.mtimeMs < since)
    ) continue;
    // A session whose own file is gone: what its first subagent says.
    const head = session?.head ??
      (first ? grouping.orphanHead(first.file) : undefined);
    const state: UnitState = {
      ...(session ? { root: session.top.file } : {}),
      ...(session?.head.forkedFrom === undefined
        ? {}
        : { forkedFrom: session.head.forkedFrom }),
      children,
      relatives: kin,
    };
    units.push({
      harness: "claude",
      id,
      files: [
        ...(session ? [session.top.file] : []),
        ...children.flatMap((c) => c.meta ? [c.file, c.meta] : [c.file]),
      ],
      needs: kin.flatMap((one) => [one.file, ...one.agents?.values() ?? []]),
      ...(head?.cwd === undefined ? {} : { cwd: head.cwd }),
      ...(head?.at === undefined ? {} : { startedAt: head.at }),
      state,
    });
  }
  return {
    units,
    roots: found.roots,
    problems: [...found.problems, ...grouping.problems],
    ...(since === undefined ? {} : { since }),
  };
}
