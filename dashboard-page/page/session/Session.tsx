/**
 * A session that is loaded, as it is read.
 *
 * @module
 */
import {
  type ReactElement,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { Call } from "../../../schema/mod.ts";
import { clockSeconds, oneLine } from "../base/format.ts";
import { useKeys } from "../base/keys.ts";
import type { Nav } from "../base/nav.ts";
import { copyText, StateBox } from "../base/widgets.tsx";
import type { RowActions } from "./CallRows.tsx";
import { CallHead, Calls } from "./Calls.tsx";
import { isFiltering } from "./filter.ts";
import { Findings } from "./Findings.tsx";
import { Lanes } from "./Lanes.tsx";
import type { SessionModel } from "./model.ts";
import { seek, SOUGHT } from "./navigate.ts";
import { Pane, shownWords } from "./Panes.tsx";
import { slowFrom } from "./scale.ts";
import { Toolbar } from "./Toolbar.tsx";
import { useReading } from "./use-reading.ts";
import { WhyPopover } from "./WhyPopover.tsx";

const NONE: ReadonlySet<string> = new Set();

/** Findings, lanes, toolbar and the open part. */
export function Session(
  { model, nav, say }: {
    model: SessionModel;
    nav: Nav;
    /** Says a word in passing. */
    say(text: string): void;
  },
): ReactElement {
  const reading = useReading(model, nav);
  const { wanted, current, call, rows } = reading;
  const [peek, setPeek] = useState<readonly string[]>();
  const [why, setWhy] = useState<{ call: Call; anchor: HTMLElement }>();
  const box = useRef<HTMLDivElement>(null);
  const sticky = useRef<HTMLDivElement>(null);
  const slow = useMemo(() => slowFrom(model), [model]);
  const { findings } = model.detail;

  // An address may name what is not here: pruned, or of another session.
  const asked = nav.params.get("call");
  useEffect(() => {
    if (asked !== null && !model.byId.has(asked)) {
      say("The call in this address is not in this session");
    }
  }, [asked, model, say]);

  const marked = useMemo<ReadonlySet<string>>(() => {
    const found = findings.find((f) => f.id === reading.finding);
    return found ? new Set(found.calls) : NONE;
  }, [findings, reading.finding]);
  const bright = useMemo(() => (peek ? new Set(peek) : marked), [peek, marked]);

  const copy = async (what: "command" | "link", of: Call) => {
    const text = what === "command"
      ? of.text
      : nav.link({ call: of.id, turn: null, tab: null });
    const done = await copyText(text);
    const name = what === "command" ? "Command" : "Link";
    say(done ? `${name} copied` : `${name} not copied: the browser refused`);
  };
  const showWhy = (of: Call, anchor: HTMLElement) =>
    setWhy((was) => was?.call === of ? undefined : { call: of, anchor });

  // Rows live longer than a render: they call through to what is current.
  const live = useRef({ reading, copy, showWhy, nav });
  live.current = { reading, copy, showWhy, nav };
  const actions = useMemo<RowActions>(() => ({
    toggle: (key) => live.current.reading.toggle(key),
    choose: (key) => live.current.reading.choose(key),
    why: (of, anchor) => live.current.showWhy(of, anchor),
    copy: (what, of) => void live.current.copy(what, of),
    href: (of) => live.current.nav.link({ call: of.id, turn: null, tab: null }),
    follow: (of) => {
      const node = model.byId.get(of.id);
      if (node) live.current.reading.go(node, "push");
    },
  }), [model]);

  const step = (by: 1 | -1) => {
    const at = rows.findIndex((r) => r.key === current);
    const start = at < 0 ? (by === 1 ? 0 : rows.length - 1) : at + by;
    for (let i = start; i >= 0 && i < rows.length; i += by) {
      const row = rows[i]!;
      const stop = row.kind === "call" || row.kind === "agent" ||
        (row.kind === "turn" && !row.open);
      if (stop) {
        reading.choose(row.key, { align: "auto", focus: true });
        return;
      }
    }
    say(by === 1 ? "That was the last call" : "That was the first call");
  };
  const stepTurn = (by: 1 | -1) => {
    const at = rows.findIndex((r) => r.key === current);
    // From inside a turn, its own header counts as where we are.
    let own = at;
    while (own >= 0 && rows[own]!.kind !== "turn") own--;
    const start = at < 0 ? (by === 1 ? 0 : rows.length - 1) : own + by;
    for (let i = start; i >= 0 && i < rows.length; i += by) {
      if (rows[i]!.kind === "turn") {
        reading.choose(rows[i]!.key, { align: "center", focus: true });
        return;
      }
    }
    say(by === 1 ? "That was the last turn" : "That was the first turn");
  };
  const find = (what: "failure" | "bypass", by: 1 | -1) => {
    const node = seek(model, reading.position(by), by, SOUGHT[what]);
    if (node) reading.go(node);
    else say(`No ${what} ${by === 1 ? "further on" : "before this"}`);
  };
  const nextFinding = () => {
    const at = findings.findIndex((f) => f.id === reading.finding);
    const found = findings[(at + 1) % findings.length];
    if (!found) return say("No findings in this session");
    const node = found.calls.map((id) => model.byId.get(id)).find((n) => n);
    if (node) reading.go(node, undefined, found.id);
    else reading.setFinding(found.id);
  };
  const onCall = (act: (of: Call) => void) => () =>
    call ? act(call.call) : say("No call is chosen: j goes to the first");
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    J: () => stepTurn(1),
    K: () => stepTurn(-1),
    e: () => find("failure", 1),
    E: () => find("failure", -1),
    b: () => find("bypass", 1),
    B: () => find("bypass", -1),
    n: nextFinding,
    f: () => {
      const at = reading.turn;
      if (wanted.range) reading.setRange(undefined);
      else if (at) reading.setRange([at.start, Math.max(at.end, at.start + 1)]);
      else say("No turn is chosen: J goes to the first");
    },
    w: () => reading.setWall(!reading.wall),
    o: () => reading.toggleAll(),
    l: onCall((of) => {
      const label = box.current?.querySelector<HTMLElement>(
        `[data-key="${current}"] .as-lab`,
      );
      if (label) showWhy(of, label);
    }),
    y: onCall((of) => void copy("command", of)),
    Y: onCall((of) => void copy("link", of)),
    Escape: () => reading.clear(),
  });

  const filtering = isFiltering(wanted);
  const calls = reading.tab === "calls";
  return (
    <div className="as-session" ref={box}>
      <Findings
        model={model}
        findings={findings}
        chosen={reading.finding}
        onChoose={(id) =>
          reading.setFinding(id === reading.finding ? undefined : id)}
        onGo={(finding, id) => {
          const node = model.byId.get(id);
          if (node) reading.go(node, "push", finding);
        }}
        onPeek={setPeek}
      />
      {model.total.calls === 0
        ? (
          <div className="as-panel">
            <StateBox icon="empty" title="No calls in this session">
              {`It has ${model.turns.length} ${
                model.turns.length === 1 ? "turn" : "turns"
              } and made no tool call, so there is nothing to label.`}
            </StateBox>
          </div>
        )
        : (
          <>
            <div className="as-stick" ref={sticky}>
              <Lanes
                model={model}
                chosen={bright}
                range={wanted.range}
                onRange={reading.setRange}
                onGo={(id) => {
                  const node = model.byId.get(id);
                  if (node) reading.go(node);
                }}
              />
              <Toolbar
                model={model}
                tab={reading.tab}
                tabHref={(t) => nav.link({ tab: t === "calls" ? null : t })}
                onTab={reading.setTab}
                filter={wanted.filter}
                counts={reading.counts}
                onFilter={reading.setFilter}
                wall={reading.wall}
                onWall={reading.setWall}
                allOpen={reading.allOpen}
                onAll={reading.toggleAll}
              />
              {calls && <CallHead wall={reading.wall} />}
            </div>
            {calls && (
              <p className="as-shown" role="status" hidden={!filtering}>
                {filtering && (
                  <>
                    {shownWords(
                      reading.counts[wanted.filter],
                      model.total.calls,
                    )}
                    {wanted.range &&
                      ` between ${clockSeconds(wanted.range[0])} and ${
                        clockSeconds(wanted.range[1])
                      }`}{" "}
                    <button
                      type="button"
                      className="as-link"
                      onClick={() => reading.clear()}
                    >
                      Show all
                    </button>
                  </>
                )}
              </p>
            )}
            {calls
              ? (
                <Calls
                  model={model}
                  rows={rows}
                  current={current}
                  marked={marked}
                  slowFrom={slow}
                  wall={reading.wall}
                  why={why?.call.id}
                  sticky={sticky}
                  target={reading.target}
                  onArrived={reading.arrived}
                  actions={actions}
                />
              )
              : (
                <Pane
                  tab={reading.tab === "calls" ? "files" : reading.tab}
                  model={model}
                  go={(id) => {
                    const node = model.byId.get(id);
                    if (node) reading.go(node, "push");
                  }}
                />
              )}
          </>
        )}
      {why && <WhyAt why={why} onClose={() => setWhy(undefined)} />}
    </div>
  );
}

function WhyAt(
  { why, onClose }: {
    why: { call: Call; anchor: HTMLElement };
    onClose(): void;
  },
) {
  const anchor = useMemo<RefObject<HTMLElement | null>>(
    () => ({ current: why.anchor }),
    [why.anchor],
  );
  return (
    <WhyPopover
      key={oneLine(why.call.id, 200)}
      call={why.call}
      anchor={anchor}
      onClose={onClose}
    />
  );
}
