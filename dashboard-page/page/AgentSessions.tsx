/**
 * The page: list, session or comparison, by the state in the URL.
 *
 * @module
 */
import { type ReactElement, useEffect, useRef, useState } from "react";
import type { Request } from "../client/request.ts";
import { useKeys } from "./base/keys.ts";
import { type Navigation, useNav } from "./base/nav.ts";
import { KeySheet } from "./base/widgets.tsx";
import { CompareView } from "./compare/CompareView.tsx";
import { ListView } from "./list/ListView.tsx";
import type { ListMemory } from "./list/Table.tsx";
import { useSessions } from "./list/use-sessions.ts";
import { SessionView } from "./session/SessionView.tsx";
import "./base/tokens.css";
import "./base/base.css";
import "./base/controls.css";
import "./base/marks.css";
import "./base/states.css";
import "./base/forced.css";

/** What the page needs: a way to ask, and where its state lives if not in the URL's hash. */
export interface AgentSessionsProps {
  /** Asks the dashboard's server. */
  request: Request;
  /** A host's own keeping of the page's state; without it the URL's hash. */
  navigation?: Navigation;
}

/** The Agent Sessions page. Mount it in a box with a height. */
export function AgentSessions(
  { request, navigation }: AgentSessionsProps,
): ReactElement {
  const nav = useNav(navigation);
  const [sheet, setSheet] = useState(false);
  const memory = useRef<ListMemory>({ scrollTop: 0, current: undefined });
  const openSheet = () => setSheet(true);
  const id = nav.params.get("id");
  const a = nav.params.get("a");
  const b = nav.params.get("b");
  const session = nav.view === "session" && id !== null;
  const compare = nav.view === "compare" && a !== null && b !== null;
  const list = !session && !compare;
  // The list stays loaded while a session is open.
  const sessions = useSessions(request, list);
  useKeys({ "?": openSheet });
  // What had the focus went with its view: the new one begins at its heading.
  const box = useRef<HTMLDivElement>(null);
  const place = list ? "" : `${id} ${a} ${b}`;
  const last = useRef(place);
  useEffect(() => {
    if (last.current === place) return;
    last.current = place;
    if (document.activeElement !== document.body) return;
    box.current?.querySelector("h1")?.focus({ preventScroll: true });
  }, [place]);
  return (
    <div className={list ? "as as-full" : "as"} ref={box}>
      {session
        ? (
          <SessionView
            key={id}
            request={request}
            id={id}
            nav={nav}
            onKeys={openSheet}
          />
        )
        : compare
        ? (
          <CompareView
            request={request}
            a={a}
            b={b}
            nav={nav}
            onKeys={openSheet}
          />
        )
        : (
          <ListView
            sessions={sessions}
            nav={nav}
            memory={memory.current}
            onKeys={openSheet}
          />
        )}
      {sheet && <KeySheet onClose={() => setSheet(false)} />}
    </div>
  );
}
