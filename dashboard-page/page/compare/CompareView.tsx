/**
 * Two sessions side by side: figures, labels, tools, where they part, files.
 *
 * @module
 */
import {
  type ReactElement,
  type ReactNode,
  useEffect,
  useMemo,
  useState,
} from "react";
import type { Summary } from "../../../schema/mod.ts";
import { getDetail, getSummary } from "../../client/queries.ts";
import {
  describeError,
  isUnauthorized,
  type Request,
} from "../../client/request.ts";
import { clock, dayMonth, oneLine, whole } from "../base/format.ts";
import { useKeys } from "../base/keys.ts";
import { Dash, Key, LabelBar, tone } from "../base/marks.tsx";
import type { Nav } from "../base/nav.ts";
import { FirstOf, KeysButton, StateBox } from "../base/widgets.tsx";
import { PageLink, ShortId, TopLine } from "../session/Header.tsx";
import { PathText } from "../session/parts.tsx";
import { toolName } from "../session/pieces.ts";
import { buildModel, type SessionModel } from "../session/model.ts";
import {
  change,
  type Figure,
  figures,
  filePairs,
  isBetter,
  type ToolPair,
  toolPairs,
} from "./figures.ts";
import { Parting } from "./Parting.tsx";
import "../session/styles.ts";
import "./compare.css";

/** One side of the comparison. */
interface Side {
  summary?: Summary;
  model?: SessionModel;
  /** Why there is none. */
  problem?: string;
}

async function loadSide(request: Request, id: string): Promise<Side> {
  try {
    const [summary, detail] = await Promise.all([
      getSummary(request, id),
      getDetail(request, id),
    ]);
    if (!summary) return { problem: "nothing stored here has this id" };
    if ("newer" in summary) {
      return {
        problem:
          `it was written by a newer importer (schema ${summary.newer}; this page reads 1)`,
      };
    }
    if (!detail.ok) return { summary, problem: detail.message };
    return { summary, model: buildModel(detail.value) };
  } catch (error) {
    return {
      problem: isUnauthorized(error)
        ? "you may not read it: it needs the grant read data"
        : describeError(error).message,
    };
  }
}

function useSide(request: Request, id: string, attempt: number): Side {
  const [loaded, setLoaded] = useState<{ id: string; side: Side }>();
  useEffect(() => {
    let gone = false;
    loadSide(request, id).then((side) => {
      if (!gone) setLoaded({ id, side });
    });
    return () => {
      gone = true;
    };
  }, [request, id, attempt]);
  return loaded?.id === id ? loaded.side : {};
}

/** Two bars back to back; the figures beside them say the same. */
function Mirror({ a, b }: { a: number; b: number }) {
  const most = Math.max(a, b, 1);
  return (
    <div className="as-mirror" aria-hidden="true">
      <span>
        <i style={{ width: `${a / most * 100}%` }} />
      </span>
      <span>
        <i style={{ width: `${b / most * 100}%` }} />
      </span>
    </div>
  );
}

function Letter({ of }: { of: "A" | "B" }) {
  return <span className="as-ab">{of}</span>;
}

function Head(
  { of, summary, nav }: { of: "A" | "B"; summary: Summary; nav: Nav },
) {
  const start = Date.parse(summary.startedAt);
  return (
    <th scope="col">
      <Letter of={of} />
      <PageLink
        href={nav.href("session", { id: summary.id })}
        go={() => nav.open("session", { id: summary.id })}
      >
        <ShortId id={summary.id} />
      </PageLink>
      <br />
      <span className="as-dim">
        {dayMonth(start)} <span className="as-hide-n">{clock(start)}</span>
      </span>
    </th>
  );
}

function FigureRow({ figure }: { figure: Figure }) {
  const { a, b, show, key } = figure;
  return (
    <tr>
      <th scope="row">
        {key && <Key of={key} />} {figure.name}
      </th>
      <td>{show(a)}</td>
      <td>{show(b)}</td>
      <td className={isBetter(figure) ? "as-better" : undefined}>
        {change(a, b)}{" "}
        {isBetter(figure) && <span className="as-vh">better</span>}
      </td>
      <td className="as-mirror-c">
        <Mirror a={a} b={b} />
      </td>
    </tr>
  );
}

function Tools({ tools }: { tools: readonly ToolPair[] }) {
  return (
    <table className="as-cmp-t as-cmp-tools" aria-label="Tools">
      <thead>
        <tr>
          <th scope="col">Tool</th>
          <th scope="col">A</th>
          <th scope="col">B</th>
          <th scope="col" className="as-mirror-c">
            <span className="as-vh">A and B as bars</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {tools.map((t) => (
          <tr key={t.name}>
            <th scope="row" title={oneLine(t.name, 200)}>
              <bdi>{oneLine(toolName(t.name), 80)}</bdi>
            </th>
            <td>{t.a ? whole(t.a) : <Dash />}</td>
            <td>{t.b ? whole(t.b) : <Dash />}</td>
            <td className="as-mirror-c">
              <Mirror a={t.a} b={t.b} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function FileList({ title, files }: { title: string; files: string[] }) {
  return (
    <section>
      <h3>
        {title} <span className="as-dim">{whole(files.length)}</span>
      </h3>
      {files.length === 0
        ? <p className="as-dim">None.</p>
        : (
          <FirstOf items={files} most={100}>
            {(shown) => (
              <ul>
                {shown.map((f) => (
                  <li key={f} className="as-mono" title={oneLine(f, 1024)}>
                    <PathText path={f} />
                  </li>
                ))}
              </ul>
            )}
          </FirstOf>
        )}
    </section>
  );
}

function Panel(
  { title, note, children }: {
    title: string;
    note?: string;
    children: ReactNode;
  },
) {
  return (
    <section className="as-cmp-panel">
      <h2 className="as-sect-h">
        {title} {note && <span className="as-dim as-light">{note}</span>}
      </h2>
      {children}
    </section>
  );
}

function Comparison(
  { a, b, nav }: {
    a: Required<Pick<Side, "summary" | "model">>;
    b: Required<Pick<Side, "summary" | "model">>;
    nav: Nav;
  },
) {
  const rows = useMemo(() => figures(a.summary, b.summary), [a, b]);
  const tools = useMemo(() => toolPairs(a.model, b.model), [a, b]);
  const files = useMemo(
    () => filePairs(a.model.detail.files.written, b.model.detail.files.written),
    [a, b],
  );
  return (
    <div className="as-cmp">
      <div className="as-two">
        <div className="as-cmp-panel">
          <table className="as-cmp-t as-cmp-figures" aria-label="Figures">
            <thead>
              <tr>
                <th scope="col">Figure</th>
                <Head of="A" summary={a.summary} nav={nav} />
                <Head of="B" summary={b.summary} nav={nav} />
                <th scope="col">Change</th>
                <th scope="col" className="as-mirror-c">
                  <span className="as-vh">A and B as bars</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((f) => <FigureRow key={f.name} figure={f} />)}
            </tbody>
          </table>
        </div>
        <div className="as-stack">
          <Panel title="Labels">
            <div className="as-cmp-labels">
              {([["A", a], ["B", b]] as const).map(([of, side]) => {
                const l = side.summary.labels;
                return (
                  <div key={of}>
                    <Letter of={of} />
                    <LabelBar counts={l} />
                    <span className={tone("swamp", l.swamp)}>
                      S {whole(l.swamp)}
                    </span>
                    <span className={tone("bypass", l.bypass)}>
                      B {whole(l.bypass)}
                    </span>
                  </div>
                );
              })}
            </div>
          </Panel>
          <Panel title="Tools">
            <FirstOf items={tools} most={tools.length > 11 ? 10 : 11}>
              {(shown) => <Tools tools={shown} />}
            </FirstOf>
          </Panel>
        </div>
      </div>
      <Parting a={a.model} b={b.model} nav={nav} />
      <Panel title="Files written">
        <div className="as-cmp-files">
          <FileList title="Both" files={files.both} />
          <FileList title="Only A" files={files.onlyA} />
          <FileList title="Only B" files={files.onlyB} />
        </div>
      </Panel>
    </div>
  );
}

const place = ({ repo, branch }: Summary) =>
  oneLine(repo.name, 60) + (branch ? ` / ${oneLine(branch, 60)}` : "");

/** Two sessions side by side. */
export function CompareView(
  { request, a, b, nav, onKeys }: {
    request: Request;
    a: string;
    b: string;
    nav: Nav;
    /** Opens the sheet of keys. */
    onKeys?: () => void;
  },
): ReactElement {
  const [attempt, setAttempt] = useState(0);
  const left = useSide(request, a, attempt);
  const right = useSide(request, b, attempt);
  const swap = () => nav.patch({ a: b, b: a });
  useKeys({ u: () => nav.open("list"), s: swap });
  const wrong = ([[a, left], [b, right]] as const).flatMap(([id, side]) =>
    side.problem !== undefined ? [`${oneLine(id, 80)}: ${side.problem}`] : []
  );
  const where = left.summary && right.summary
    ? [...new Set([place(left.summary), place(right.summary)])].join(" and ")
    : "";
  return (
    <>
      <TopLine nav={nav} here={<span>Compare</span>}>
        <button type="button" className="as-btn" title="s" onClick={swap}>
          Swap A and B
        </button>
        {onKeys && <KeysButton onKeys={onKeys} />}
      </TopLine>
      <div className="as-title">
        <h1 tabIndex={-1}>
          Compare{" "}
          <span>
            <bdi>{where}</bdi>
          </span>
        </h1>
      </div>
      {wrong.length
        ? (
          <div className="as-panel">
            <StateBox
              icon="error"
              title="These two cannot be compared"
              code={wrong.join("\n")}
              actions={
                <>
                  <button
                    type="button"
                    className="as-btn"
                    onClick={() => setAttempt((n) => n + 1)}
                  >
                    Try again
                  </button>
                  <PageLink
                    className="as-btn"
                    href={nav.href("list")}
                    go={() => nav.open("list")}
                  >
                    Back to the list
                  </PageLink>
                </>
              }
            >
              A comparison needs both sessions.
            </StateBox>
          </div>
        )
        : left.summary && left.model && right.summary && right.model
        ? (
          <Comparison
            a={{ summary: left.summary, model: left.model }}
            b={{ summary: right.summary, model: right.model }}
            nav={nav}
          />
        )
        : (
          <div
            className="as-cmp-panel as-cmp-bones"
            role="status"
            aria-busy="true"
          >
            <span className="as-vh">Loading two sessions</span>
            {Array.from(
              { length: 12 },
              (_, i) => (
                <div key={i} aria-hidden="true">
                  <span
                    className="as-sk"
                    style={{ width: `${40 + i * 17 % 45}%` }}
                  />
                  <span className="as-sk" />
                  <span className="as-sk" />
                </div>
              ),
            )}
          </div>
        )}
    </>
  );
}
