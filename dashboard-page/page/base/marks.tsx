/**
 * Marks that list, session and comparison share.
 *
 * @module
 */
import type { ReactElement } from "react";
import { type Severity, type Tier, TIERS } from "../../../schema/constants.ts";

/** Calls by label; `bypass` counts the mutating ones too. */
export interface LabelCounts {
  swamp: number;
  bypass: number;
  mutating: number;
  neutral: number;
}

/** A part above zero is never narrower than this, in percent. */
const LEAST_PART = 3;

/**
 * The label bar: swamp, bypass, mutating bypass (striped), the rest grey. The
 * figures stand beside it as text, or are its name.
 */
export function LabelBar({ counts }: { counts: LabelCounts }): ReactElement {
  const { swamp, bypass, mutating, neutral } = counts;
  const all = swamp + bypass + neutral || 1;
  const width = (n: number) => `${Math.max(LEAST_PART, n / all * 100)}%`;
  const reads = bypass - mutating;
  return (
    <span
      className="as-lbar"
      role="img"
      aria-label={`${swamp} swamp, ${bypass} bypass, ${neutral} neutral`}
    >
      {swamp > 0 && <i className="as-fill-s" style={{ width: width(swamp) }} />}
      {reads > 0 && <i className="as-fill-b" style={{ width: width(reads) }} />}
      {mutating > 0 && (
        <i className="as-fill-m" style={{ width: width(mutating) }} />
      )}
    </span>
  );
}

/** What a key square stands for. */
export type KeyOf = "swamp" | "bypass" | "mutating" | "neutral" | "failed";

/** A legend's square. */
export function Key({ of }: { of: KeyOf }): ReactElement {
  return <i className={`as-key as-key-${of}`} aria-hidden="true" />;
}

/** A severity as a letter in ink; never a colour. */
export function SeverityMark(
  { severity }: { severity: Severity },
): ReactElement {
  return (
    <span className={`as-sev as-sev-${severity}`} title={severity}>
      <span className="as-vh">{`${severity} `}</span>
      <span aria-hidden="true">{severity[0]?.toUpperCase()}</span>
    </span>
  );
}

/** A four-step meter of substance. Its name stands beside it. */
export function TierMeter({ tier }: { tier: Tier }): ReactElement {
  return (
    <i
      className={`as-tier as-tier-${TIERS.indexOf(tier)}`}
      aria-hidden="true"
    />
  );
}

/** The class of a figure with a hue; zero has none. */
export const tone = (of: "swamp" | "bypass" | "failed", n: number): string =>
  n ? `as-t-${of}` : "as-dim";

/** Zero, quietly. */
export function Dash(): ReactElement {
  return <span className="as-dim">–</span>;
}
