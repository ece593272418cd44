/**
 * Small drawings. Each says in its shape what its colour says.
 *
 * @module
 */
import type { ReactElement, ReactNode } from "react";
import type { CallState, Mode } from "../../../schema/constants.ts";

/** A chevron; turned by `aria-expanded` of its parent. */
export function Chevron(): ReactElement {
  return (
    <svg className="as-chev" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M6 4l4 4-4 4" />
    </svg>
  );
}

/** A magnifying glass. */
export function SearchGlyph(): ReactElement {
  return (
    <svg viewBox="0 0 12 12" aria-hidden="true">
      <circle cx="5" cy="5" r="3.6" />
      <path d="M8 8l3 3" />
    </svg>
  );
}

const MODES: Readonly<Record<Mode, readonly [name: string, path: string]>> = {
  interactive: [
    "interactive",
    "M2.5 1.5h8A1.5 1.5 0 0112 3v6a1.5 1.5 0 01-1.5 1.5h-8A1.5 1.5 0 011 9V3a1.5 1.5 0 011.5-1.5zM3.5 4.5L5.3 6 3.5 7.5M6.8 8h2.6",
  ],
  headless: [
    "headless",
    "M8.5 6a2 2 0 11-4 0 2 2 0 014 0zM6.5 1v1.6M6.5 9.4V11M1.5 6h1.6M9.9 6h1.6M3 2.5l1.1 1.1M8.9 8.4L10 9.5M3 9.5l1.1-1.1M8.9 3.6L10 2.5",
  ],
  unknown: [
    "mode unknown",
    "M4.6 4.2a2 2 0 113 1.8c-.8.5-1.1.8-1.1 1.5M6.5 9.4v.6",
  ],
};

/** A terminal, a machine, or a question mark. */
export function ModeGlyph({ mode }: { mode: Mode }): ReactElement {
  const [name, path] = MODES[mode];
  return (
    <svg className="as-mode" viewBox="0 0 13 12" role="img" aria-label={name}>
      <path d={path} />
    </svg>
  );
}

/** What each state is called. */
export const STATE_NAMES: Readonly<Record<CallState, string>> = {
  ok: "ok",
  failed: "failed",
  rejected: "rejected by the user",
  interrupted: "interrupted",
  notRun: "not run",
  pending: "no result recorded",
  background: "ran in the background",
};

const STATE_SHAPES: Readonly<Record<CallState, ReactNode>> = {
  ok: (
    <path
      d="M3.5 7.2l2.3 2.3 4.7-5"
      fill="none"
      stroke="var(--as-dim)"
      strokeWidth="1.3"
    />
  ),
  failed: (
    <>
      <circle cx="7" cy="7" r="6" fill="var(--as-fail)" />
      <path
        d="M4.8 4.8l4.4 4.4M9.2 4.8L4.8 9.2"
        stroke="var(--surface)"
        strokeWidth="1.6"
      />
    </>
  ),
  rejected: (
    <>
      <path
        d="M4.5 1h5L13 4.5v5L9.5 13h-5L1 9.5v-5z"
        fill="none"
        stroke="var(--as-fail)"
        strokeWidth="1.4"
      />
      <path d="M4 7h6" stroke="var(--as-fail)" strokeWidth="1.8" />
    </>
  ),
  interrupted: (
    <>
      <rect
        x="2"
        y="2"
        width="10"
        height="10"
        rx="1.5"
        fill="none"
        stroke="var(--text-2)"
        strokeWidth="1.4"
      />
      <rect x="5" y="5" width="4" height="4" fill="var(--text-2)" />
    </>
  ),
  notRun: (
    <circle
      cx="7"
      cy="7"
      r="5.3"
      fill="none"
      stroke="var(--as-dim)"
      strokeWidth="1.3"
      strokeDasharray="2 2"
    />
  ),
  pending: (
    <>
      <circle cx="3" cy="7" r="1.3" fill="var(--as-dim)" />
      <circle cx="7" cy="7" r="1.3" fill="var(--as-dim)" />
      <circle cx="11" cy="7" r="1.3" fill="var(--as-dim)" />
    </>
  ),
  background: (
    <>
      <path
        d="M2 4.5h6M2 9.5h6"
        stroke="var(--as-run)"
        strokeWidth="1.4"
        fill="none"
      />
      <path
        d="M8 2.5L12 7l-4 4.5"
        fill="none"
        stroke="var(--as-run)"
        strokeWidth="1.4"
      />
    </>
  ),
};

/** How a call ended: the shape first, the colour second. */
export function StateGlyph({ state }: { state: CallState }): ReactElement {
  return (
    <svg
      className="as-glyph"
      viewBox="0 0 14 14"
      role="img"
      aria-label={STATE_NAMES[state]}
    >
      <title>{STATE_NAMES[state]}</title>
      {STATE_SHAPES[state]}
    </svg>
  );
}

/** A failure: solid for an own one, hollow for one inside something closed. */
export function FailGlyph({ hollow }: { hollow?: boolean }): ReactElement {
  return (
    <svg className="as-glyph" viewBox="0 0 14 14" aria-hidden="true">
      {hollow
        ? (
          <>
            <circle
              cx="7"
              cy="7"
              r="5.3"
              fill="none"
              stroke="currentColor"
              strokeWidth="1.4"
            />
            <path
              d="M5 5l4 4M9 5L5 9"
              stroke="currentColor"
              strokeWidth="1.2"
            />
          </>
        )
        : (
          <>
            <circle cx="7" cy="7" r="6" fill="currentColor" />
            <path
              d="M4.8 4.8l4.4 4.4M9.2 4.8L4.8 9.2"
              stroke="var(--surface)"
              strokeWidth="1.6"
            />
          </>
        )}
    </svg>
  );
}

/** A rejection by a person: an octagon with a bar. */
export function RejectGlyph(): ReactElement {
  return (
    <svg className="as-glyph" viewBox="0 0 14 14" aria-hidden="true">
      <path
        d="M4.5 1h5L13 4.5v5L9.5 13h-5L1 9.5v-5z"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.4"
      />
      <path d="M4 7h6" stroke="currentColor" strokeWidth="1.8" />
    </svg>
  );
}

/** The page's icon in a sidebar, 18 px. */
export function SessionsIcon(): ReactElement {
  return (
    <svg
      viewBox="0 0 18 18"
      width="18"
      height="18"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      aria-hidden="true"
    >
      <path d="M2 3.5h14M2 3.5v11h14v-11M5 7l2.5 2L5 11M9 11.5h4" />
    </svg>
  );
}
