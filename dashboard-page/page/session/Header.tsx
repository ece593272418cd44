/**
 * Where we are, what can be done, the figures, and what the record does not
 * tell.
 *
 * @module
 */
import { type ReactElement, type ReactNode, useRef, useState } from "react";
import type { Summary } from "../../../schema/mod.ts";
import {
  clockSeconds,
  compact,
  dayMonth,
  fullTime,
  oneLine,
  plural,
  shortModel,
  span,
  whole,
} from "../base/format.ts";
import { FailGlyph, ModeGlyph, RejectGlyph } from "../base/glyphs.tsx";
import { Dash, Key, LabelBar, TierMeter, tone } from "../base/marks.tsx";
import { isPlainClick, type Nav } from "../base/nav.ts";
import { Popover } from "../base/widgets.tsx";
import type { Badge } from "./badges.ts";
import type { HeadFigures } from "./figures.ts";
import { opens } from "./parts.tsx";

/** A link of the page that a plain click follows without loading anything. */
export function PageLink(
  { href, go, className, children, label, title }: {
    href: string;
    go(): void;
    className?: string;
    children: ReactNode;
    label?: string;
    title?: string;
  },
): ReactElement {
  return (
    <a
      href={href}
      className={className}
      aria-label={label}
      title={title}
      onClick={(event) => {
        if (!isPlainClick(event)) return;
        event.preventDefault();
        go();
      }}
    >
      {children}
    </a>
  );
}

/** The crumb, and what stands at its right. */
export function TopLine(
  { nav, here, children }: { nav: Nav; here: ReactNode; children?: ReactNode },
): ReactElement {
  return (
    <div className="as-topline">
      <nav className="as-crumb" aria-label="Breadcrumb">
        <PageLink href={nav.href("list")} go={() => nav.open("list")}>
          Agent Sessions
        </PageLink>
        <span aria-hidden="true">/</span>
        {here}
      </nav>
      <div className="as-right">{children}</div>
    </div>
  );
}

/** The id in the crumb, short; whole on hover. */
export function ShortId({ id }: { id: string }): ReactElement {
  return (
    <bdi className="as-mono as-id8" title={oneLine(id, 200)}>
      {oneLine(id.length > 13 ? id.slice(0, 8) : id)}
    </bdi>
  );
}

/** Repo, branch, harness and models. */
export function Title(
  { summary, id }: { summary: Summary | undefined; id: string },
): ReactElement {
  if (!summary) {
    return (
      <div className="as-title">
        <h1 tabIndex={-1}>
          Session <bdi className="as-mono">{oneLine(id, 60)}</bdi>
        </h1>
      </div>
    );
  }
  const { repo, branch, cwd, harness, mode, models } = summary;
  return (
    <div className="as-title">
      <h1 tabIndex={-1}>
        <bdi title={repo.remote && oneLine(repo.remote, 200)}>
          {oneLine(repo.name, 120)}
        </bdi>
        {branch && (
          <span>
            {" / "}
            <bdi>{oneLine(branch, 160)}</bdi>
          </span>
        )}
        {cwd && (
          <span className="as-hide-n as-cwd">
            {" "}
            <bdi>{oneLine(cwd, 80)}</bdi>
          </span>
        )}
      </h1>
      <span
        className="as-tag as-tag-big"
        title={mode === "unknown" ? "mode unknown" : mode}
      >
        <ModeGlyph mode={mode} />
        <bdi>{oneLine(harness.name, 40)}</bdi>{" "}
        <bdi>{oneLine(harness.version ?? "", 40)}</bdi>
      </span>
      {models.length > 0 && (
        <span
          className="as-tag as-tag-big as-hide-n"
          title={models.map((m) => oneLine(m, 80)).join("\n")}
        >
          {models.slice(0, 3).map((m) => oneLine(shortModel(m), 40)).join(
            " · ",
          )}
          {models.length > 3 && ` · ${models.length - 3} more`}
        </span>
      )}
    </div>
  );
}

function Item(
  { name, of, title, children }: {
    name: string;
    of: string;
    /** What the name does not say. */
    title?: string;
    children: ReactNode;
  },
) {
  return (
    <div className={`as-g${of}`} title={title}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const Bone = ({ width }: { width: number }) => (
  <span className="as-sk" style={{ width }} />
);

/** The figures in one line. */
export function Receipt(
  { figures }: { figures: HeadFigures | undefined },
): ReactElement {
  const f = figures;
  if (!f) {
    return (
      <dl className="as-receipt" aria-busy="true">
        {["Started", "Active of total", "Turns", "Calls", "Labels"].map((n) => (
          <Item key={n} name={n} of="2">
            <Bone width={70} />
          </Item>
        ))}
      </dl>
    );
  }
  const t = f.tally;
  return (
    <dl className="as-receipt">
      <Item name="Started" of="3">
        <time
          dateTime={new Date(f.start).toISOString()}
          title={fullTime(f.start)}
        >
          {dayMonth(f.start)} {clockSeconds(f.start)}
        </time>
      </Item>
      <Item
        name="Active of total"
        of="3"
        title="Time inside turns, of the time from start to end"
      >
        {span(f.activeMs)} <small>of {span(f.durationMs)}</small>
      </Item>
      <Item name="Turns" of="1">{whole(f.turns)}</Item>
      <Item name="Calls" of="1">{whole(t.calls)}</Item>
      <Item
        name="Labels"
        of="4"
        title="S: used swamp. B: went around it. Striped: changed something that way"
      >
        {t.calls > 0 && (
          <span className="as-lbar-72">
            <LabelBar counts={t} />
          </span>
        )}
        <span className={tone("swamp", t.swamp)}>S {whole(t.swamp)}</span>
        <span className={tone("bypass", t.bypass)}>B {whole(t.bypass)}</span>
        {t.mutating > 0 && (
          <span className="as-t-bypass as-fx">
            <Key of="mutating" />
            {whole(t.mutating)} <span className="as-vh">mutating</span>
          </span>
        )}
      </Item>
      <Item name="Failed, rejected" of="2">
        {t.failed + t.rejected === 0 ? <Dash /> : (
          <>
            {t.failed > 0 && (
              <span className="as-mk as-mk-f">
                <FailGlyph />
                {whole(t.failed)} <span className="as-vh">failed</span>
              </span>
            )}
            {t.rejected > 0 && (
              <span className="as-mk as-mk-f">
                <RejectGlyph />
                {whole(t.rejected)} <span className="as-vh">rejected</span>
              </span>
            )}
          </>
        )}
      </Item>
      {f.written && (
        <Item
          name="Files written"
          of="2"
          title="What the calls are known to have written; tests they ran"
        >
          {f.written.files === 0 ? <Dash /> : whole(f.written.files)}
          {f.written.tests && <small>{f.written.tests}</small>}
        </Item>
      )}
      <Item name="Output tokens" of="4">
        {f.partial && (
          <span title="A lower bound: some usage records are missing">≥</span>
        )}
        {compact(f.output)} <small>{compact(f.cached)} cached</small>
      </Item>
      <Item name="Subagents" of="2">
        {f.agents.count === 0 ? <Dash /> : (
          <>
            {whole(f.agents.count)}{" "}
            <small>{plural(f.agents.calls, "call")}</small>
          </>
        )}
      </Item>
      {f.substance && (
        <Item
          name="Substance"
          of="4"
          title="How much was done: activity, not worth"
        >
          <TierMeter tier={f.substance.tier} />
          {whole(f.substance.score)} <small>{f.substance.tier}</small>
        </Item>
      )}
    </dl>
  );
}

function BadgeButton({ badge }: { badge: Badge }) {
  const anchor = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        ref={anchor}
        type="button"
        className="as-badge"
        aria-expanded={open}
        aria-haspopup="dialog"
        {...opens(open, () => setOpen(!open))}
      >
        {badge.count !== undefined && <b>{whole(badge.count)}</b>} {badge.text}
      </button>
      {open && (
        <Popover
          anchor={anchor}
          label={badge.text}
          className="as-tip"
          onClose={() => setOpen(false)}
        >
          <p tabIndex={0}>{badge.tip}</p>
        </Popover>
      )}
    </>
  );
}

/** What the record does not tell; nothing where it tells all. */
export function Badges({ badges }: { badges: Badge[] }): ReactElement | null {
  if (badges.length === 0) return null;
  return (
    <div
      className="as-badges"
      role="group"
      aria-label="What this record does not tell"
    >
      <span className="as-dim">This record</span>
      {badges.map((b) => <BadgeButton key={b.id} badge={b} />)}
    </div>
  );
}
