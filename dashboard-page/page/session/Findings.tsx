/**
 * Findings first, each with the calls behind it.
 *
 * @module
 */
import { type ReactElement, useState } from "react";
import type { Finding, Summary } from "../../../schema/mod.ts";
import { SEVERITIES } from "../../../schema/constants.ts";
import { oneLine, plural } from "../base/format.ts";
import { SeverityMark } from "../base/marks.tsx";
import type { SessionModel } from "./model.ts";

/** Findings before "show more": the calls must stay in sight below them. */
const MOST_FINDINGS = 6;
/** Chips before "more". */
const MOST_CHIPS = 6;

/** Words with `code` in backticks set in mono. */
function Words({ text }: { text: string }) {
  return (
    <>
      {oneLine(text, 700).split("`").map((part, i) =>
        i % 2 ? <span key={i} className="as-mono">{part}</span> : part
      )}
    </>
  );
}

/** The findings of a session. */
export function Findings(
  { model, findings, chosen, onChoose, onGo, onPeek }: {
    model: SessionModel;
    findings: readonly Finding[];
    /** Id of the chosen finding. */
    chosen: string | undefined;
    /** Marks a finding's calls without moving; again: unmarks. */
    onChoose(id: string): void;
    /** Goes to a call and marks the finding's calls. */
    onGo(finding: string, call: string): void;
    /** Shows calls in the lanes while pointed at. */
    onPeek(calls: readonly string[] | undefined): void;
  },
): ReactElement | null {
  const [all, setAll] = useState(false);
  if (findings.length === 0) {
    return model.total.calls > 0
      ? <p className="as-find-none">No findings: no rule matched here.</p>
      : null;
  }
  // One more than fits is shown rather than a line that says so.
  const whole = all || findings.length <= MOST_FINDINGS + 1 ||
    findings.findIndex((f) => f.id === chosen) >= MOST_FINDINGS;
  const shown = whole ? findings : findings.slice(0, MOST_FINDINGS);
  return (
    <section className="as-find" aria-labelledby="as-findings">
      <h2 id="as-findings">
        Findings <span className="as-dim">{findings.length}</span>
      </h2>
      <ul>
        {shown.map((f) => {
          const nodes = f.calls.map((id) => model.byId.get(id))
            .filter((n) => n !== undefined);
          const more = nodes.length - MOST_CHIPS;
          const on = chosen === f.id;
          return (
            <li key={f.id} className={on ? "as-on" : undefined}>
              <SeverityMark severity={f.severity} />
              <button
                type="button"
                className="as-find-t"
                aria-pressed={on}
                title={on ? "Unmark its calls" : "Mark its calls"}
                onClick={() => onChoose(f.id)}
              >
                <Words text={f.text} />
              </button>
              <span className="as-rule as-mono">{oneLine(f.rule, 80)}</span>
              <span className="as-chips">
                {(on ? nodes : nodes.slice(0, MOST_CHIPS)).map((n) => (
                  <button
                    key={n.number}
                    type="button"
                    className="as-chip"
                    aria-label={`#${n.number}, go to call ${n.number}`}
                    onClick={() => onGo(f.id, n.call.id)}
                    onPointerEnter={() => onPeek([n.call.id])}
                    onPointerLeave={() => onPeek(undefined)}
                    onFocus={() => onPeek([n.call.id])}
                    onBlur={() => onPeek(undefined)}
                  >
                    #{n.number}
                  </button>
                ))}
                {!on && more > 0 && (
                  <button
                    type="button"
                    className="as-chip"
                    aria-label={`+${more}, show ${plural(more, "more call")}`}
                    onClick={() => onChoose(f.id)}
                  >
                    +{more}
                  </button>
                )}
              </span>
            </li>
          );
        })}
      </ul>
      {!whole && (
        <p className="as-find-more">
          <button
            type="button"
            className="as-link"
            onClick={() => setAll(true)}
          >
            {`Show ${findings.length - shown.length} more`}
          </button>
        </p>
      )}
    </section>
  );
}

/** Counts of findings, known from the summary before their text is. */
export function FindingBones(
  { summary }: { summary: Summary | undefined },
): ReactElement | null {
  if (!summary) return null;
  const rows = SEVERITIES.flatMap((severity) =>
    Array.from(
      { length: Math.min(20, summary.findings[severity]) },
      () => severity,
    )
  );
  if (rows.length === 0) return null;
  return (
    <section className="as-find" aria-busy="true">
      <h2>
        Findings <span className="as-dim">{rows.length}</span>
      </h2>
      <ul>
        {rows.map((severity, i) => (
          <li key={i}>
            <SeverityMark severity={severity} />
            <span className="as-sk" style={{ width: `${40 + i * 13 % 30}%` }} />
          </li>
        ))}
      </ul>
    </section>
  );
}
