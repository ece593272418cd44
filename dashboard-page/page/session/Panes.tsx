/**
 * The other parts of a session: files, tests, tools, tokens. Each line leads
 * to the calls behind it.
 *
 * @module
 */
import { type ReactElement, type ReactNode, useMemo } from "react";
import { compact, oneLine, plural, span, whole } from "../base/format.ts";
import { StateGlyph } from "../base/glyphs.tsx";
import { Dash } from "../base/marks.tsx";
import { FirstOf } from "../base/widgets.tsx";
import type { CallNode, SessionModel } from "./model.ts";
import { PathText } from "./parts.tsx";
import { toolName } from "./pieces.ts";
import { type FileLine, fileLines, testLines, toolLines } from "./panes.ts";
import {
  contextWindow,
  type TokenRow,
  tokensByAgent,
  tokensByTurn,
} from "./tokens.ts";
import type { Tab } from "./Toolbar.tsx";

type Go = (call: string) => void;

/** Lines before "show all". */
const MOST_LINES = 200;

function Section(
  { title, count, children }: {
    title: string;
    count?: number;
    children: ReactNode;
  },
) {
  return (
    <section>
      <h2>
        {title}{" "}
        {count !== undefined && <span className="as-dim">{whole(count)}</span>}
      </h2>
      {children}
    </section>
  );
}

function CallChip({ node, go }: { node: CallNode; go: Go }) {
  return (
    <button
      type="button"
      className="as-chip"
      aria-label={`#${node.number}, go to call ${node.number}`}
      onClick={() => go(node.call.id)}
    >
      #{node.number}
    </button>
  );
}

function Files(
  { title, lines, go }: { title: string; lines: FileLine[]; go: Go },
) {
  return (
    <Section title={title} count={lines.length}>
      {lines.length === 0
        ? <p className="as-dim">None.</p>
        : (
          <FirstOf items={lines} most={MOST_LINES}>
            {(shown) => (
              <table>
                <tbody>
                  {shown.map((f) => (
                    <tr key={f.path}>
                      <td
                        className="as-pth as-mono"
                        title={oneLine(f.path, 1024)}
                      >
                        <PathText path={f.path} />
                      </td>
                      <td className="as-num">
                        <span className="as-chips">
                          {f.calls.length > 3 && (
                            <span className="as-dim">{f.calls.length}×</span>
                          )}
                          {f.calls.slice(0, 3).map((n) => (
                            <CallChip key={n.number} node={n} go={go} />
                          ))}
                        </span>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </FirstOf>
        )}
    </Section>
  );
}

function FilesPane({ model, go }: { model: SessionModel; go: Go }) {
  const { written, read } = useMemo(() => fileLines(model), [model]);
  return (
    <div className="as-pane">
      <Files title="Written" lines={written} go={go} />
      <Files title="Read only" lines={read} go={go} />
    </div>
  );
}

function TestsPane({ model, go }: { model: SessionModel; go: Go }) {
  const tests = testLines(model);
  return (
    <div className="as-pane">
      <Section title="Tests run" count={tests.length}>
        {tests.length === 0
          ? <p className="as-dim">No call is known to have run tests.</p>
          : (
            <table>
              <tbody>
                {tests.map((t, i) => (
                  <tr key={i}>
                    <td className="as-fit">
                      {t.passed === null
                        ? <StateGlyph state="pending" />
                        : <StateGlyph state={t.passed ? "ok" : "failed"} />}
                    </td>
                    <td className="as-fit">
                      {t.passed === null
                        ? "outcome unknown"
                        : t.passed
                        ? "passed"
                        : "failed"}
                    </td>
                    <td className="as-pth as-mono">
                      <bdi>{oneLine(t.node?.call.text ?? "", 400)}</bdi>
                    </td>
                    <td className="as-num">
                      {t.node?.end !== undefined &&
                        span(t.node.end - t.node.start)}
                    </td>
                    <td className="as-num">
                      {t.node && <CallChip node={t.node} go={go} />}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
      </Section>
    </div>
  );
}

function ToolsPane({ model }: { model: SessionModel }) {
  const tools = useMemo(() => toolLines(model), [model]);
  const most = Math.max(1, ...tools.map((t) => t.count));
  return (
    <div className="as-pane">
      <Section title="Tools" count={tools.length}>
        <table>
          <thead>
            <tr>
              <th scope="col">Tool</th>
              <th scope="col" className="as-num">Calls</th>
              <th scope="col" className="as-num">Failed</th>
              <th scope="col" className="as-num">Median</th>
              <th scope="col" className="as-num as-hide-n">Together</th>
              <th scope="col" className="as-w40">
                <span className="as-vh">Share of the most used</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {tools.map((t) => (
              <tr key={t.name}>
                <td className="as-clip">
                  <bdi>{oneLine(toolName(t.name), 120)}</bdi>
                </td>
                <td className="as-num">{whole(t.count)}</td>
                <td className="as-num">
                  {t.failed
                    ? <span className="as-t-failed">{whole(t.failed)}</span>
                    : <Dash />}
                </td>
                <td className="as-num">
                  {t.median === undefined ? <Dash /> : span(t.median)}
                </td>
                <td className="as-num as-hide-n">
                  {t.median === undefined ? <Dash /> : span(t.total)}
                </td>
                <td>
                  <span
                    className="as-hb"
                    style={{ width: `${t.count / most * 100}%` }}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Section>
    </div>
  );
}

function TokenTable(
  { first, rows, window }: {
    first: string;
    rows: readonly TokenRow[];
    /** Scale of the context bars in tokens; absent: no such columns. */
    window?: number;
  },
) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{first}</th>
          <th scope="col" className="as-num as-hide-n">Input</th>
          <th scope="col" className="as-num">Output</th>
          <th scope="col" className="as-num">Cache read</th>
          <th scope="col" className="as-num as-hide-n">Cache write</th>
          {window !== undefined && (
            <>
              <th scope="col" className="as-num">Context</th>
              <th scope="col" className="as-w30">
                Context of {compact(window)}
              </th>
            </>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((r, i) => (
          <tr key={i}>
            <td className="as-clip">
              <bdi>{oneLine(r.name, 60)}</bdi>{" "}
              {r.compacted && <span className="as-dim">compacted</span>}
            </td>
            <td className="as-num as-hide-n">{compact(r.tokens.input)}</td>
            <td className="as-num">
              {r.tokens.outputIsLowerBound && "≥"}
              {compact(r.tokens.output)}
            </td>
            <td className="as-num">{compact(r.tokens.cacheRead)}</td>
            <td className="as-num as-hide-n">{compact(r.tokens.cacheWrite)}</td>
            {window !== undefined && (
              <>
                <td className="as-num">
                  {r.context === undefined ? <Dash /> : compact(r.context)}
                </td>
                <td>
                  <span
                    className="as-hb"
                    style={{ width: `${(r.context ?? 0) / window * 100}%` }}
                  />
                </td>
              </>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function TokensPane({ model }: { model: SessionModel }) {
  const turns = useMemo(() => tokensByTurn(model), [model]);
  const agents = useMemo(() => tokensByAgent(model), [model]);
  const known = turns.some((t) => t.context !== undefined);
  return (
    <div className="as-pane as-pane-one">
      <Section title="By turn">
        <TokenTable
          first="Turn"
          rows={turns}
          {...(known ? { window: contextWindow(turns) } : {})}
        />
        {!known && (
          <p className="as-dim">
            How full the context was is not in this record.
          </p>
        )}
      </Section>
      {agents.length > 0 && (
        <Section title="By subagent" count={agents.length}>
          <TokenTable first="Subagent" rows={agents} />
        </Section>
      )}
    </div>
  );
}

/** The part that is open, but for the calls. */
export function Pane(
  { tab, model, go }: {
    tab: Exclude<Tab, "calls">;
    model: SessionModel;
    go: Go;
  },
): ReactElement {
  switch (tab) {
    case "files":
      return <FilesPane model={model} go={go} />;
    case "tests":
      return <TestsPane model={model} go={go} />;
    case "tools":
      return <ToolsPane model={model} />;
    case "tokens":
      return <TokensPane model={model} />;
  }
}

/** Words for a count of calls that a filter shows. */
export const shownWords = (shown: number, all: number): string =>
  `${whole(shown)} of ${plural(all, "call")}`;
