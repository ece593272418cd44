/**
 * Small parts that several views of a session share.
 *
 * @module
 */
import {
  memo,
  type MouseEvent,
  type PointerEvent,
  type ReactElement,
} from "react";
import type { Call } from "../../../schema/mod.ts";
import { oneLine, shortCategory } from "../base/format.ts";
import { FailGlyph, RejectGlyph } from "../base/glyphs.tsx";
import { LabelBar } from "../base/marks.tsx";
import { type Paint } from "./lanes.ts";
import { isMutating, type Tally } from "./model.ts";
import { type Piece, pieces, SCAN_LIMIT } from "./pieces.ts";

/** One letter for class names: swamp, bypass, mutating bypass, neutral. */
export type Hue = "s" | "b" | "m" | "n";

const HUES: Record<Paint, Hue> = {
  swamp: "s",
  bypass: "b",
  mutating: "m",
  neutral: "n",
};

/** The hue of a call. */
export const hueOf = (call: Call): Hue =>
  HUES[isMutating(call) ? "mutating" : call.label];

/** What stands in the label's square. */
const LETTERS: Readonly<Record<Hue, string>> = {
  s: "S",
  b: "B",
  m: "B!",
  n: "",
};

const HUE_WORDS: Readonly<Record<Hue, string>> = {
  s: "swamp",
  b: "bypass",
  m: "bypass, mutating",
  n: "neutral",
};

/** The label chip's inside. */
export function LabelMark(
  { hue, category, low }: { hue: Hue; category: string; low?: boolean },
): ReactElement {
  return (
    <>
      <span className="as-lab-g" aria-hidden={hue === "n" || undefined}>
        {LETTERS[hue]}
      </span>{" "}
      <bdi className="as-lab-t">{oneLine(shortCategory(category), 60)}</bdi>
      {" "}
      {low && <span title="low confidence">?</span>}
    </>
  );
}

/**
 * Handlers of a button that opens a popover. A press outside closes a popover
 * before the click comes; a press on its own button must not open it again.
 */
export function opens(
  open: boolean,
  act: (button: HTMLButtonElement) => void,
): {
  onPointerDown(event: PointerEvent<HTMLButtonElement>): void;
  onClick(event: MouseEvent<HTMLButtonElement>): void;
} {
  return {
    onPointerDown(event) {
      if (open) event.currentTarget.dataset.wasOpen = "";
    },
    onClick(event) {
      event.stopPropagation();
      const button = event.currentTarget;
      const was = "wasOpen" in button.dataset;
      delete button.dataset.wasOpen;
      if (!was) act(button);
    },
  };
}

/** The label of a call as a button that says why. */
export function LabelButton(
  { call, open, onWhy }: {
    call: Call;
    open: boolean;
    onWhy(button: HTMLButtonElement): void;
  },
): ReactElement {
  const hue = hueOf(call);
  const short = oneLine(shortCategory(call.category), 60);
  const name = [LETTERS[hue], short, call.low ? "?" : ""].filter(Boolean)
    .join(" ");
  return (
    <button
      type="button"
      className={`as-lab as-${hue}`}
      aria-haspopup="dialog"
      aria-expanded={open}
      aria-label={`${name}: ${HUE_WORDS[hue]}${
        call.low ? ", low confidence" : ""
      }. Why?`}
      title={`${call.category} · ${call.rule}`}
      {...opens(open, onWhy)}
    >
      <LabelMark hue={hue} category={call.category} low={call.low === true} />
    </button>
  );
}

function PieceSpan({ piece, lines }: { piece: Piece; lines: boolean }) {
  const text = piece.text.replace(/\r$/, "");
  switch (piece.kind) {
    case "newline":
      return lines ? <>{"\n"}</> : <span className="as-t-o as-nl">⏎</span>;
    case "redacted":
      return (
        <span className="as-rx" title={`Redacted by the rule ${text}`}>
          <span className="as-vh">redacted</span> {oneLine(text, 80)}
        </span>
      );
    case "plain":
      return <>{oneLine(text, SCAN_LIMIT)}</>;
    default:
      return (
        <span className={`as-t-${piece.kind[0]}`}>
          {oneLine(text, SCAN_LIMIT)}
        </span>
      );
  }
}

/** A text in pieces; the deciding part is underlined in the label's colour. */
export const CallText = memo(function CallText(
  { text, shell, why, lines = false }: {
    text: string;
    shell: boolean;
    why?: readonly [number, number] | undefined;
    /** Keep line breaks; else one line. */
    lines?: boolean;
  },
): ReactElement {
  const out: ReactElement[] = [];
  let marked: ReactElement[] | undefined;
  const list = pieces(text, shell, why);
  list.forEach((piece, i) => {
    const span = <PieceSpan key={i} piece={piece} lines={lines} />;
    if (!piece.why) {
      marked = undefined;
      out.push(span);
    } else if (marked) marked.push(span);
    else {
      marked = [span];
      out.push(<mark key={`m${i}`}>{marked}</mark>);
    }
  });
  return <bdi dir="ltr">{out}</bdi>;
});

/** A path in one line: where there is no room for it, its folders give way. */
export function PathText({ path }: { path: string }): ReactElement {
  const name = path.lastIndexOf("/") + 1;
  return (
    <bdi dir="ltr" className="as-path">
      {name > 0 && <span>{oneLine(path.slice(0, name), 600)}</span>}
      <span>{oneLine(path.slice(name), 600)}</span>
    </bdi>
  );
}

const count = (n: number, word: string, inside: number) =>
  inside > 0 && inside < n
    ? `${n} ${word}, ${inside} inside subagents`
    : inside > 0
    ? `${n} ${word}, inside subagents`
    : `${n} ${word}`;

interface MarkProps {
  at: string;
  own: number;
  under: number;
  word: string;
  letter?: ReactElement | string;
}

/** A figure of a roll-up; hollow where all of it lies inside subagents. */
function RollUp({ at, own, under, word, letter }: MarkProps) {
  if (under === 0) return null;
  const title = count(under, word, under - own);
  return (
    <span
      className={`as-mk as-mk-${at}${own === 0 ? " as-hollow" : ""}`}
      title={title}
    >
      <span aria-hidden="true">{letter}</span>
      <span aria-hidden="true">{under}</span>{" "}
      <span className="as-vh">{title}.</span>
    </span>
  );
}

/** Labels, failures and rejections of a group: its own solid, those inside hollow. */
export function RollUps(
  { own, under }: { own: Tally; under: Tally },
): ReactElement {
  const inside = under.failed - own.failed;
  return (
    <span className="as-marks">
      <RollUp
        at="s"
        own={own.swamp}
        under={under.swamp}
        word="swamp"
        letter="S"
      />
      <RollUp
        at="b"
        own={own.bypass}
        under={under.bypass}
        word="bypass"
        letter="B"
      />
      <RollUp
        at="m"
        own={own.mutating}
        under={under.mutating}
        word="mutating"
        letter={<i className="as-key as-key-mutating" />}
      />
      {own.failed > 0 && (
        <span className="as-mk as-mk-f" title={`${own.failed} failed here`}>
          <FailGlyph />
          {own.failed} <span className="as-vh">failed.</span>
        </span>
      )}
      {inside > 0 && (
        <span
          className="as-mk as-mk-i"
          title={`${inside} failed inside subagents`}
        >
          <FailGlyph hollow />
          {inside} <span className="as-vh">failed inside subagents.</span>
        </span>
      )}
      {under.rejected > 0 && (
        <span
          className={`as-mk as-mk-r${own.rejected === 0 ? " as-hollow" : ""}`}
          title={count(
            under.rejected,
            "rejected",
            under.rejected - own.rejected,
          )}
        >
          <RejectGlyph />
          {under.rejected} <span className="as-vh">rejected.</span>
        </span>
      )}
    </span>
  );
}

/** The label bar of a tally; none where there is no call to label. */
export function TallyBar({ tally }: { tally: Tally }): ReactElement | null {
  return tally.calls > 0 ? <LabelBar counts={tally} /> : null;
}
