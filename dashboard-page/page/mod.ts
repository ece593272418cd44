/**
 * The page, for a host to mount.
 *
 * @module
 */
import { createElement, type ReactNode, useEffect, useState } from "react";
import { anySessions } from "../client/queries.ts";
import type { Request } from "../client/request.ts";
import { SessionsIcon } from "./base/glyphs.tsx";

export { AgentSessions, type AgentSessionsProps } from "./AgentSessions.tsx";
export type { How, Navigation } from "./base/nav.ts";
export type { Request } from "../client/request.ts";

/** An entry of the host's sidebar. */
export interface NavItem {
  /** A name for the host's own routing. */
  id: string;
  /** What it says. */
  label: string;
  /** An 18 px drawing in the text's colour. */
  icon: ReactNode;
  /** The chip beside it. */
  chip: string;
  /** The sidebar's section it belongs to. */
  section: string;
}

/** The page's entry in the sidebar; show it while `useAgentSessionsAvailable` says so. */
export const agentSessionsNavItem: NavItem = {
  id: "agent-sessions",
  label: "Agent Sessions",
  icon: createElement(SessionsIcon),
  chip: "Preview",
  section: "Operations",
};

const AGAIN_MS = 60_000;

/**
 * Whether there is any session that the viewer may read: false until known,
 * and without access. Asks again every minute until there is one.
 */
export function useAgentSessionsAvailable(request: Request): boolean {
  const [available, setAvailable] = useState(false);
  useEffect(() => {
    let stop = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      const found = await anySessions(request).catch(() => false);
      if (stop) return;
      setAvailable(found);
      if (!found) timer = setTimeout(ask, AGAIN_MS);
    };
    setAvailable(false);
    ask();
    return () => {
      stop = true;
      clearTimeout(timer);
    };
  }, [request]);
  return available;
}
