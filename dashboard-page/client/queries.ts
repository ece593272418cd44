/**
 * What the page asks the server: whether there is anything, the list, the
 * days, one session. Lists read tags only, never content.
 *
 * @module
 */
import {
  DETAIL_KIND,
  detailName,
  ROLLUP_KIND,
  SUMMARY_KIND,
} from "../../schema/constants.ts";
import type { Detail } from "../../schema/detail.ts";
import type { Summary } from "../../schema/summary.ts";
import {
  type NewerSchema,
  SUMMARY_TAGS,
  tagsToSummary,
} from "../../schema/tags.ts";
import { readRecord, type ReadResult } from "../../schema/versions.ts";
import {
  asObject,
  describeError,
  isUnauthorized,
  type Request,
  RequestError,
} from "./request.ts";
import { type NewerRow, readRow, type Row, ROW_TAGS } from "./rows.ts";

/** The most rows that one query returns. */
export const ROW_CAP = 10_000;

/** Rows read before the page may paint: enough for a tall window. */
const FIRST_ROWS = 400;
/** Rows read between two chances for the page to answer a click. */
const SLICE_ROWS = 2_000;
/** Lets the browser answer a click. */
const pause = () => new Promise<void>((go) => setTimeout(go));
/** Lets the browser paint what it was given, if it paints at all. */
const painted = () =>
  new Promise<void>((go) => {
    if (!("requestAnimationFrame" in globalThis)) return setTimeout(go);
    requestAnimationFrame(() => setTimeout(go));
    setTimeout(go, 250); // A page in the background paints nothing.
  });

const quoted = (text: string) => JSON.stringify(text);
const kindIs = (kind: string) => `tags.kind == ${quoted(kind)}`;
const selectOf = (tags: readonly string[]) =>
  `[${tags.map((t) => `tags.${t}`).join(", ")}]`;

interface Answer {
  rows: unknown[];
  limited: boolean;
}

/** A host may hand over the whole payload or only its `data`: take both. */
function dataOf(answer: unknown): Record<string, unknown> {
  const object = asObject(answer);
  const inner = asObject(object?.data) ??
    asObject(asObject(object?.payload)?.data);
  const data = inner ?? object;
  if (!data) {
    throw new RequestError("bad_answer", "the server's answer has no data");
  }
  return data;
}

async function query(
  request: Request,
  predicate: string,
  select: string,
  limit: number,
): Promise<Answer> {
  const data = dataOf(
    await request("data.query", { predicate, select, limit }),
  );
  const projected = asObject(data.projected);
  const rows = projected?.rows ?? projected?.values ?? data.results;
  if (!Array.isArray(rows)) {
    throw new RequestError("bad_answer", "the server's answer has no rows");
  }
  const { limited } = data;
  return {
    rows,
    // A server that does not say may have more when it gave all it was asked for.
    limited: typeof limited === "boolean" ? limited : rows.length >= limit,
  };
}

/** A projected row as the list of its values, whatever shape it came in. */
function valuesOf(row: unknown): readonly unknown[] {
  if (Array.isArray(row)) return row;
  const object = asObject(row);
  return object ? Object.values(object) : [row];
}

/** The model that holds the sessions, learnt once from any item. */
const models = new WeakMap<Request, string>();

/**
 * Whether there is any session that the viewer may read. No access counts as
 * none; any other failure is thrown.
 */
export async function anySessions(request: Request): Promise<boolean> {
  try {
    const { rows } = await query(
      request,
      kindIs(SUMMARY_KIND),
      "modelName",
      1,
    );
    const model = valuesOf(rows[0])[0];
    if (typeof model === "string") models.set(request, model);
    return rows.length > 0;
  } catch (error) {
    if (isUnauthorized(error)) return false;
    throw error;
  }
}

/** A part of the list. */
export interface ListPage {
  /** Sessions that can be shown. */
  rows: Row[];
  /** Sessions that a newer importer wrote. */
  newer: NewerRow[];
  /** What is loaded next, for people; absent on the last page. */
  next?: string;
}

const monthBefore = (month: string): string => {
  const [year = 0, m = 1] = month.split("-").map(Number);
  return m > 1 ? `${year}-${String(m - 1).padStart(2, "0")}` : `${year - 1}-12`;
};

/**
 * Lists all sessions: this month and what is older, asked at once. Where what
 * is older is above the cap it comes month by month, newest first, and a month
 * above the cap by days.
 *
 * @param now epoch milliseconds, to know the newest month
 * @param onPage gets each part as it comes; parts may overlap
 */
export async function listSessions(
  request: Request,
  now: number,
  onPage: (page: ListPage) => void,
  signal: AbortSignal,
): Promise<void> {
  const select = selectOf(ROW_TAGS);
  const ask = (also: string) =>
    query(
      request,
      kindIs(SUMMARY_KIND) + (also ? ` && ${also}` : ""),
      select,
      ROW_CAP,
    );
  let shown = false;
  /** Answers come oldest first: read from their end, in slices. */
  const emit = async (answer: Answer, next?: string) => {
    let page: ListPage = { rows: [], newer: [] };
    let until = shown ? SLICE_ROWS : FIRST_ROWS;
    for (let i = answer.rows.length - 1, n = 1; i >= 0; i--, n++) {
      const row = readRow(valuesOf(answer.rows[i]));
      if (row && "newer" in row) page.newer.push(row);
      else if (row) page.rows.push(row);
      if (n < until || i === 0) continue;
      until += SLICE_ROWS;
      if (!shown) {
        // Something to look at; the rest of this answer follows in one piece.
        shown = true;
        onPage({ ...page, ...(next ? { next } : {}) });
        page = { rows: [], newer: [] };
        await painted();
      } else await pause();
      if (signal.aborted) return;
    }
    if (signal.aborted) return;
    shown ||= page.rows.length > 0;
    onPage({ ...page, ...(next ? { next } : {}) });
  };
  /** One month; where even that is too much, its days. */
  const loadMonth = async (month: string, also: string, next: string) => {
    const answer = await ask(also);
    await emit(answer, next);
    for (let day = 31; answer.limited && day >= 1; day--) {
      if (signal.aborted) return;
      const name = `${month}-${String(day).padStart(2, "0")}`;
      await emit(await ask(`tags.day == ${quoted(name)}`), next);
    }
  };

  const newest = new Date(now).toISOString().slice(0, 7);
  let month = monthBefore(newest);
  // Both at once: the newest month is small and soon there.
  const older = ask(`tags.month < ${quoted(newest)}`);
  older.catch(() => {}); // Awaited below; the first failure is the one to tell.
  await loadMonth(newest, `tags.month >= ${quoted(newest)}`, month);
  let rest = await older;
  await emit(rest, rest.limited ? month : undefined);
  // A guard against a clock far off: 20 years of months, then give up.
  for (let i = 1; rest.limited && i <= 240 && !signal.aborted; i++) {
    const before = monthBefore(month);
    await loadMonth(month, `tags.month == ${quoted(month)}`, before);
    month = before;
    // Every third month, ask whether what is left fits one answer.
    if (i % 3 === 0 && !signal.aborted) {
      rest = await ask(`tags.month <= ${quoted(month)}`);
      if (!rest.limited) await emit(rest);
    }
  }
}

/** One day of the trend strip. */
export interface Day {
  /** yyyy-mm-dd, UTC. */
  day: string;
  sessions: number;
  calls: number;
  swamp: number;
  bypass: number;
  failed: number;
  /** When it was stored, epoch milliseconds; absent where the rows told it. */
  storedAt?: number;
}

const DAY_TAGS = [
  "schema",
  "day",
  "sessions",
  "calls",
  "swamp",
  "bypass",
  "failed",
] as const;

/** The days that rollups hold, oldest first; none where there are no rollups. */
export async function listDays(request: Request): Promise<Day[]> {
  const { rows } = await query(
    request,
    kindIs(ROLLUP_KIND),
    selectOf(DAY_TAGS).replace("]", ", createdAt]"),
    ROW_CAP,
  );
  const days: Day[] = [];
  for (const raw of rows) {
    const [schema, day, ...figures] = valuesOf(raw);
    const storedAt = Date.parse(String(figures.pop()));
    if (schema !== "1" || typeof day !== "string") continue;
    const [sessions = 0, calls = 0, swamp = 0, bypass = 0, failed = 0] = figures
      .map((f) => Number(f) || 0);
    days.push({
      day,
      sessions,
      calls,
      swamp,
      bypass,
      failed,
      ...(Number.isNaN(storedAt) ? {} : { storedAt }),
    });
  }
  return days.sort((a, b) => (a.day < b.day ? -1 : 1));
}

/** One session's summary, from its tags; `undefined` where there is none. */
export async function getSummary(
  request: Request,
  id: string,
): Promise<Summary | NewerSchema | undefined> {
  const { rows } = await query(
    request,
    `${kindIs(SUMMARY_KIND)} && tags.sid == ${quoted(id)}`,
    selectOf(SUMMARY_TAGS),
    1,
  );
  if (!rows.length) return undefined;
  const values = valuesOf(rows[0]);
  const tags: Record<string, string> = {};
  SUMMARY_TAGS.forEach((tag, i) => {
    const value = values[i];
    if (typeof value === "string") tags[tag] = value;
  });
  return tagsToSummary(tags);
}

/** The model that holds a session's detail, by a query for exactly it. */
async function modelOf(request: Request, id?: string): Promise<string> {
  const { rows } = await query(
    request,
    kindIs(DETAIL_KIND) + (id ? ` && tags.sid == ${quoted(id)}` : ""),
    "modelName",
    1,
  );
  const model = valuesOf(rows[0])[0];
  if (typeof model !== "string") {
    throw new RequestError("not_found", `no stored session has the id ${id}`);
  }
  return model;
}

/**
 * One session's detail. The answer's own reading may fail: see `ReadResult`.
 * Throws a `RequestError` where the server has none or gives none.
 */
export async function getDetail(
  request: Request,
  id: string,
): Promise<ReadResult<Detail>> {
  const get = (model: string) =>
    request("data.get", {
      modelIdOrName: model,
      dataName: detailName(id),
      includeContent: true,
    });
  let known = models.get(request);
  if (known === undefined) {
    known = await modelOf(request, id);
    models.set(request, known);
  }
  let answer: unknown;
  try {
    answer = await get(known);
  } catch (error) {
    // Another model may hold it: ask for exactly this session, once.
    if (isUnauthorized(error) || describeError(error).code === "timeout") {
      throw error;
    }
    const other = await modelOf(request, id);
    if (other === known) throw error;
    answer = await get(other);
  }
  const content = dataOf(answer).content;
  let value: unknown = content;
  if (typeof content === "string") {
    try {
      value = JSON.parse(content);
    } catch {
      return {
        ok: false,
        reason: "invalid",
        message: "the stored session is no JSON: import it again with --force",
      };
    }
  }
  return readRecord("detail", value);
}
