/**
 * Parts of a session, filters of its calls, and how their bars are drawn.
 *
 * @module
 */
import type { ReactElement, ReactNode } from "react";
import { plural, whole } from "../base/format.ts";
import { FailGlyph } from "../base/glyphs.tsx";
import { Key, tone } from "../base/marks.tsx";
import { CALL_FILTERS, type CallFilter } from "./filter.ts";
import type { SessionModel } from "./model.ts";

/** The parts of a session. */
const TABS = ["calls", "files", "tests", "tools", "tokens"] as const;
/** A part of a session. */
export type Tab = typeof TABS[number];

/** The part named so, else the calls. */
export const asTab = (value: unknown): Tab =>
  TABS.find((t) => t === value) ?? "calls";

const TAB_NAMES: Record<Tab, string> = {
  calls: "Calls",
  files: "Files",
  tests: "Tests",
  tools: "Tools",
  tokens: "Tokens",
};

const tabCounts = (m: SessionModel): Record<Tab, number | undefined> => ({
  calls: m.total.calls,
  files: m.detail.files.written.length + m.detail.files.read.length,
  tests: m.detail.tests.length,
  tools: m.detail.tools.length,
  tokens: undefined,
});

const FILTER_FACES: Record<
  CallFilter,
  (n: number, rejected: boolean) => ReactNode
> = {
  all: () => "All",
  failed: (n, rejected) => (
    <>
      <span className={tone("failed", n)}>
        <FailGlyph />
      </span>
      {whole(n)}{" "}
      <span className="as-wide">
        {rejected ? "failed or rejected" : "failed"}
      </span>
    </>
  ),
  bypass: (n) => (
    <>
      <span className={tone("bypass", n)}>B</span> {whole(n)}{" "}
      <span className="as-wide">{n === 1 ? "bypass" : "bypasses"}</span>
    </>
  ),
  mutating: (n) => (
    <>
      <Key of="mutating" /> {whole(n)} <span className="as-wide">mutating</span>
    </>
  ),
  swamp: (n) => (
    <>
      <span className={tone("swamp", n)}>S</span> {whole(n)}{" "}
      <span className="as-wide">swamp</span>
    </>
  ),
};

const FILTER_NAMES: Record<CallFilter, (n: number) => string> = {
  all: () => "All calls",
  failed: (n) => `${whole(n)} failed or rejected`,
  bypass: (n) => `B ${plural(n, "bypass", "bypasses")}`,
  mutating: (n) => `${whole(n)} mutating bypasses`,
  swamp: (n) => `S ${whole(n)} swamp`,
};

/** The toolbar; what only concerns calls is there only beside them. */
export function Toolbar(
  {
    model,
    tab,
    tabHref,
    onTab,
    filter,
    counts,
    onFilter,
    wall,
    onWall,
    allOpen,
    onAll,
  }: {
    model: SessionModel;
    tab: Tab;
    tabHref(tab: Tab): string;
    onTab(tab: Tab): void;
    filter: CallFilter;
    counts: Record<CallFilter, number>;
    onFilter(filter: CallFilter): void;
    wall: boolean;
    onWall(wall: boolean): void;
    /** Every turn is open. */
    allOpen: boolean;
    onAll(): void;
  },
): ReactElement {
  const sizes = tabCounts(model);
  return (
    <div className="as-tools" role="toolbar" aria-label="Session" tabIndex={-1}>
      <nav className="as-tabs" aria-label="Parts">
        {TABS.map((t) => (
          <a
            key={t}
            href={tabHref(t)}
            aria-current={t === tab ? "true" : undefined}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey) return;
              event.preventDefault();
              onTab(t);
            }}
          >
            {TAB_NAMES[t]}
            {sizes[t] ? <span className="as-c">{whole(sizes[t])}</span> : null}
          </a>
        ))}
      </nav>
      {tab === "calls" && (
        <>
          <span className="as-sp" />
          <span className="as-seg" role="group" aria-label="Show">
            {CALL_FILTERS.map((f) => (
              <button
                key={f}
                type="button"
                aria-pressed={f === filter}
                aria-label={FILTER_NAMES[f](counts[f])}
                title={FILTER_NAMES[f](counts[f])}
                onClick={() => onFilter(f)}
              >
                {FILTER_FACES[f](counts[f], model.total.rejected > 0)}
              </button>
            ))}
          </span>
          <span className="as-seg" role="group" aria-label="Bars">
            <button
              type="button"
              aria-pressed={!wall}
              title="How long each call took, log scale (w)"
              onClick={() =>
                onWall(false)}
            >
              Length
            </button>
            <button
              type="button"
              aria-pressed={wall}
              title="When each call ran within its turn (w)"
              onClick={() =>
                onWall(true)}
            >
              Wall clock
            </button>
          </span>
          <button
            type="button"
            className="as-btn"
            title={`${allOpen ? "Close" : "Open"} all turns (o)`}
            onClick={onAll}
          >
            <svg className="as-updown" viewBox="0 0 10 12" aria-hidden="true">
              <path d="M2 4.2L5 1.4l3 2.8M2 7.8l3 2.8 3-2.8" />
            </svg>
            <span className="as-mid-vh">
              {allOpen ? "Close all" : "Open all"}
            </span>
          </button>
        </>
      )}
    </div>
  );
}
