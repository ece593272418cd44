/**
 * What stands in the list's place when there is nothing to list.
 *
 * @module
 */
import type { ReactElement } from "react";
import { oneLine, whole } from "../base/format.ts";
import { StateBox } from "../base/widgets.tsx";
import type { Sessions } from "./use-sessions.ts";

/** No sessions, no access, or no answer. */
export function ListProblem(
  { sessions }: { sessions: Sessions },
): ReactElement {
  const { status, problem, reload } = sessions;
  const again = (label: string) => (
    <button type="button" className="as-btn" onClick={reload}>{label}</button>
  );
  return (
    <div className="as-panel">
      {status === "noAccess"
        ? (
          <StateBox
            icon="lock"
            title="You cannot read session data"
            actions={again("Check again")}
          >
            Listing sessions needs the grant{" "}
            <b>read data:*</b>. Ask an administrator of this swamp instance. In
            swamp’s sidebar the entry stays hidden without it.
          </StateBox>
        )
        : status === "error"
        ? (
          <StateBox
            icon="error"
            title="The list could not be loaded"
            code={problem &&
              `data.query  ${oneLine(problem.code, 60)}  ${
                oneLine(problem.message, 200)
              }`}
            actions={again("Try again")}
          >
            The server gave no list. Nothing was changed.
          </StateBox>
        )
        : (
          <StateBox
            icon="empty"
            title="No sessions yet"
            code="swamp extension import sessions"
            actions={again("Check again")}
          >
            Agent sessions appear here after the first import. Nothing is
            uploaded and no prompt or reply is stored.
          </StateBox>
        )}
    </div>
  );
}

/** Sessions there are, but none passes. */
export function NothingMatches(
  { trivial, filtered, onClear, onUnfold }: {
    /** Folded sessions that do pass. */
    trivial: number;
    filtered: boolean;
    onClear(): void;
    onUnfold(): void;
  },
): ReactElement {
  return (
    <StateBox
      icon="nothing"
      title={trivial ? "Only trivial sessions here" : "Nothing matches"}
      actions={
        <>
          {trivial > 0 && (
            <button type="button" className="as-btn" onClick={onUnfold}>
              Show trivial
            </button>
          )}
          {filtered && (
            <button type="button" className="as-btn" onClick={onClear}>
              Clear filters
            </button>
          )}
        </>
      }
    >
      {trivial
        ? `${whole(trivial)} trivial ${
          trivial === 1 ? "session is" : "sessions are"
        } folded.`
        : "No session passes these filters."}
    </StateBox>
  );
}
