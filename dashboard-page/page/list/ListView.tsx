import type { ReactElement } from "react";
import type { Nav } from "../base/nav.ts";
import type { Sessions } from "./use-sessions.ts";

/** The list. */
export function ListView(
  { sessions, nav }: { sessions: Sessions; nav: Nav; onKeys(): void },
): ReactElement {
  return (
    <ul>
      {sessions.rows.slice(0, 100).map((row) => (
        <li key={row.id}>
          <a href={nav.href("session", { id: row.id })}>{row.id} {row.repo}</a>
        </li>
      ))}
    </ul>
  );
}
