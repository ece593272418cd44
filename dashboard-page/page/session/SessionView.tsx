/**
 * One session: its figures at once from the summary, the rest when its one
 * detail item has come; and every state in between.
 *
 * @module
 */
import { type ReactElement, useLayoutEffect, useMemo, useState } from "react";
import type { Detail, ReadResult, Summary } from "../../../schema/mod.ts";
import {
  describeError,
  isUnauthorized,
  type Request,
} from "../../client/request.ts";
import { getDetail, getSummary } from "../../client/queries.ts";
import { bytes, oneLine } from "../base/format.ts";
import { useKeys } from "../base/keys.ts";
import type { Nav } from "../base/nav.ts";
import {
  KeysButton,
  PopoverButton,
  StateBox,
  type StateIcon,
  useToast,
} from "../base/widgets.tsx";
import { badgesOf } from "./badges.ts";
import { fileName, toJson, toMarkdown } from "./export.ts";
import { headFigures } from "./figures.ts";
import { FindingBones } from "./Findings.tsx";
import {
  Badges,
  PageLink,
  Receipt,
  ShortId,
  Title,
  TopLine,
} from "./Header.tsx";
import { buildModel, type SessionModel } from "./model.ts";
import { Session } from "./Session.tsx";
import "./styles.ts";

/** What has come so far. */
interface Loaded {
  summary?: Summary;
  /** Schema version of a summary that this page cannot read. */
  newer?: string;
  detail?: ReadResult<Detail>;
  error?: unknown;
}

function useSession(request: Request, id: string): [Loaded, () => void] {
  const [loaded, setLoaded] = useState<Loaded>({});
  const [attempt, setAttempt] = useState(0);
  // Asked before the first paint: the server works while the browser paints.
  useLayoutEffect(() => {
    let gone = false;
    const take = (more: Loaded) => {
      if (!gone) setLoaded((was) => ({ ...was, ...more }));
    };
    setLoaded((was) => Object.keys(was).length ? {} : was);
    // The figures are a kindness: without them the detail still shows all.
    getSummary(request, id).then((found) => {
      if (found && "newer" in found) take({ newer: found.newer });
      else if (found) take({ summary: found });
    }).catch(() => {});
    getDetail(request, id).then(
      (detail) => take({ detail }),
      (error: unknown) => take({ error }),
    );
    return () => {
      gone = true;
    };
  }, [request, id, attempt]);
  return [loaded, () => setAttempt((n) => n + 1)];
}

/** Hands a text to the browser to keep as a file. */
function save(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function ExportMenu(
  { model, summary }: { model: SessionModel; summary: Summary | undefined },
) {
  const { id } = model.detail.session;
  return (
    <PopoverButton
      label="Export"
      className="as-hide-n"
      content={(close) => {
        const json = toJson(model);
        const report = toMarkdown(model, summary);
        const line = (
          what: string,
          text: string,
          type: string,
          end: string,
        ) => (
          <button
            type="button"
            className="as-menu"
            onClick={() => {
              save(fileName(id, end), type, text);
              close();
            }}
          >
            <span>{what}</span>
            <span className="as-dim">{bytes(new Blob([text]).size)}</span>
          </button>
        );
        return (
          <>
            {line("Detail as JSON", json, "application/json", "json")}
            {line("Report as Markdown", report, "text/markdown", "md")}
          </>
        );
      }}
    >
      Export
    </PopoverButton>
  );
}

function CompareMenu({ nav, id }: { nav: Nav; id: string }) {
  return (
    <PopoverButton
      label="Compare"
      className="as-hide-n"
      content={() => {
        const order = nav.order();
        const at = order.indexOf(id);
        const other = (what: string, b: string | undefined) =>
          b !== undefined && at >= 0 && (
            <PageLink
              className="as-menu"
              href={nav.href("compare", { a: id, b })}
              go={() => nav.open("compare", { a: id, b })}
            >
              <span>{what}</span>
              <ShortId id={b} />
            </PageLink>
          );
        return (
          <>
            {other("With the one above in the list", order[at - 1])}
            {other("With the one below in the list", order[at + 1])}
            <p className="as-menu-note">
              Any two: select them in{" "}
              <PageLink href={nav.href("list")} go={() => nav.open("list")}>
                the list
              </PageLink>{" "}
              with <kbd>x</kbd>, then <kbd>c</kbd>.
            </p>
          </>
        );
      }}
    >
      Compare
    </PopoverButton>
  );
}

/** Why a session cannot be shown, and what to do. */
function problem(
  loaded: Loaded,
  id: string,
):
  | {
    icon: StateIcon;
    title: string;
    text: string;
    code?: string;
    again?: true;
  }
  | undefined {
  const { detail, error, newer } = loaded;
  if (
    newer !== undefined || (detail && !detail.ok && detail.reason === "newer")
  ) {
    const version = newer ??
      (detail && !detail.ok && detail.reason === "newer"
        ? detail.version
        : "?");
    return {
      icon: "newer",
      title: "Written by a newer importer",
      text:
        `This session has schema ${version}; this page reads 1. Nothing is guessed. Update the extension, or import the session again with this version.`,
      code: "swamp extension import sessions --force",
    };
  }
  if (detail && !detail.ok) {
    return {
      icon: "error",
      title: "This session cannot be read",
      text: "What is stored is not a session this page knows. Import it again.",
      code: detail.message,
    };
  }
  if (error === undefined) return undefined;
  if (isUnauthorized(error)) {
    return {
      icon: "lock",
      title: loaded.summary
        ? "You can see this session, not open it"
        : "You cannot read this session",
      text:
        "Opening it needs the grant read data on the model that holds agent sessions. Ask an administrator of this swamp instance.",
      again: true,
    };
  }
  const { code, message } = describeError(error);
  if (code === "not_found") {
    return loaded.summary
      ? {
        icon: "error",
        title: "This session could not be loaded",
        text:
          "The summary is there, the detail item is not: it may have been removed since the list was loaded.",
        code: `data.get  not_found  ${loaded.summary.detail.name}`,
        again: true,
      }
      : {
        icon: "nothing",
        title: "No such session",
        text:
          "Nothing stored here has this id. It may have passed its lifetime, or belong to another repository.",
        code: oneLine(id, 200),
        again: true,
      };
  }
  return {
    icon: "error",
    title: "This session could not be loaded",
    text: "The server did not hand it over. Nothing was changed.",
    code: oneLine(`${code}  ${message}`),
    again: true,
  };
}

/** Bones in the place of lanes and calls. */
function CallBones() {
  return (
    <>
      <div className="as-lanes as-lane-bones" aria-hidden="true">
        {[70, 22, 12, 22, 8].map((width, i) => (
          <div key={i}>
            <span className="as-sk" style={{ width: 40 + i * 9 }} />
            <span
              className="as-sk"
              style={{ width: `${width}%`, marginLeft: `${i * 11}%` }}
            />
          </div>
        ))}
      </div>
      <div className="as-calls as-call-bones" role="status" aria-busy="true">
        <span className="as-vh">Loading the detail of this session</span>
        {Array.from({ length: 9 }, (_, i) => (
          <div key={i} aria-hidden="true">
            <span className="as-sk" />
            <span className="as-sk" />
            <span className="as-sk" style={{ width: `${30 + i * 17 % 50}%` }} />
            <span className="as-sk" />
          </div>
        ))}
      </div>
    </>
  );
}

/** One session. */
export function SessionView(
  { request, id, nav, onKeys }: {
    request: Request;
    id: string;
    nav: Nav;
    /** Opens the sheet of keys. */
    onKeys?: () => void;
  },
): ReactElement {
  const [loaded, again] = useSession(request, id);
  const { summary, detail } = loaded;
  const model = useMemo(
    () => (detail?.ok ? buildModel(detail.value) : undefined),
    [detail],
  );
  const wrong = problem(loaded, id);
  const beside = (step: 1 | -1) => {
    const order = nav.order();
    const at = order.indexOf(id);
    return at < 0 ? undefined : order[at + step];
  };
  const [toast, say] = useToast();
  const neighbour = (step: 1 | -1) => {
    const to = beside(step);
    if (to !== undefined) nav.open("session", { id: to });
    else if (!nav.order().includes(id)) say("Not in the list as it stands");
    else say(`No session ${step === 1 ? "after" : "before"} this in the list`);
  };
  useKeys({
    u: () => nav.open("list"),
    "[": () => neighbour(-1),
    "]": () => neighbour(1),
  });
  const arrow = (step: 1 | -1) => {
    const to = beside(step);
    const name = step === 1 ? "Next session" : "Previous session";
    return to === undefined
      ? (
        <button
          type="button"
          className="as-btn as-icon"
          aria-label={name}
          disabled
        >
          {step === 1 ? "›" : "‹"}
        </button>
      )
      : (
        <PageLink
          className="as-btn as-icon"
          href={nav.href("session", { id: to })}
          go={() => nav.open("session", { id: to })}
          label={name}
          title={`${name} ${step === 1 ? "]" : "["}`}
        >
          {step === 1 ? "›" : "‹"}
        </PageLink>
      );
  };
  return (
    <>
      <TopLine nav={nav} here={<ShortId id={id} />}>
        {arrow(-1)}
        {arrow(1)}
        {!wrong && <CompareMenu nav={nav} id={id} />}
        {model && <ExportMenu model={model} summary={summary} />}
        {onKeys && <KeysButton onKeys={onKeys} />}
      </TopLine>
      {wrong
        ? (
          <>
            <Title summary={summary} id={id} />
            <div className="as-panel">
              <StateBox
                icon={wrong.icon}
                title={wrong.title}
                {...(wrong.code ? { code: wrong.code } : {})}
                actions={
                  <>
                    {wrong.again && (
                      <button type="button" className="as-btn" onClick={again}>
                        Try again
                      </button>
                    )}
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
                {wrong.text}
              </StateBox>
            </div>
          </>
        )
        : (
          <>
            <Title summary={summary} id={id} />
            <Receipt figures={headFigures(summary, model)} />
            <Badges badges={badgesOf(summary, model)} />
            {model
              ? (
                <Session
                  model={model}
                  nav={nav}
                  say={say}
                />
              )
              : (
                <>
                  <FindingBones summary={summary} />
                  <CallBones />
                </>
              )}
          </>
        )}
      {toast}
    </>
  );
}
