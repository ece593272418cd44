/**
 * What stands around the page when no swamp dashboard does: the same sidebar,
 * theme switch and states of the connection.
 *
 * @module
 */
import { type FormEvent, type ReactElement, useState } from "react";
import {
  AgentSessions,
  agentSessionsNavItem,
  type Request,
  useAgentSessionsAvailable,
} from "../page/mod.ts";
import type { Connection } from "../client/socket.ts";
import { NAV } from "./nav-items.tsx";
import { applyTheme, storedTheme, type Theme } from "./theme.ts";
import { type ShellConnection, useConnection } from "./use-connection.ts";

const THEMES: readonly (readonly [Theme, string])[] = [
  ["light", "☀"],
  ["system", "▨"],
  ["dark", "☾"],
];

function ThemeSwitch(): ReactElement {
  const [theme, setTheme] = useState(storedTheme);
  return (
    <div className="side-theme" role="group" aria-label="Theme">
      {THEMES.map(([name, glyph]) => (
        <button
          key={name}
          type="button"
          aria-label={name}
          aria-pressed={theme === name}
          onClick={() => {
            applyTheme(name);
            setTheme(name);
          }}
        >
          {glyph}
        </button>
      ))}
    </div>
  );
}

const STATE_WORDS = {
  open: "Connected",
  connecting: "Connecting…",
  closed: "Connection lost, trying again",
} as const;

function Side(
  { connection, request, open, onLeave }: {
    connection: ShellConnection;
    request: Request;
    open: boolean;
    /** A choice was made, or Escape pressed. */
    onLeave(): void;
  },
): ReactElement {
  const available = useAgentSessionsAvailable(request);
  return (
    <nav
      className={open ? "side open" : "side"}
      id="side"
      aria-label="swamp"
      onKeyDown={(event) => event.key === "Escape" && onLeave()}
    >
      <div className="side-brand">
        <b aria-hidden="true">
          <span className="brand-s">S</span>
          <span className="brand-c">C</span>
        </b>
        Swamp
      </div>
      {NAV.map(([section, items]) => (
        <div className="side-sec" key={section}>
          <h2>{section}</h2>
          {items.map(([label, icon]) => (
            <span
              className="side-off"
              key={label}
              title={`${label} is in swamp's own dashboard (swamp serve --dashboard)`}
            >
              {icon}
              {label}
            </span>
          ))}
          {section === agentSessionsNavItem.section && available && (
            <a href="#" aria-current="page" onClick={onLeave}>
              {agentSessionsNavItem.icon}
              {agentSessionsNavItem.label}
              <span className="prev">{agentSessionsNavItem.chip}</span>
            </a>
          )}
        </div>
      ))}
      <ThemeSwitch />
      <div className="side-foot">
        <p role="status">
          <i data-state={connection.state} />
          {STATE_WORDS[connection.state]}
        </p>
        <small>{location.host}</small>
        {connection.hasToken && (
          <button type="button" onClick={connection.signOut}>Logout</button>
        )}
      </div>
    </nav>
  );
}

function SignIn(
  { refused, mode, signIn }: {
    refused: boolean;
    mode: ShellConnection["mode"];
    signIn(token: string): void;
  },
): ReactElement {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const token = new FormData(event.currentTarget).get("token");
    if (typeof token === "string" && token.trim()) signIn(token.trim());
  };
  if (mode === "oauth") {
    return (
      <div className="gate">
        <h1>Sign in with swamp</h1>
        <p>
          This server signs people in itself. Open its own dashboard, where
          Agent Sessions is a page too.
        </p>
      </div>
    );
  }
  return (
    <form className="gate" onSubmit={submit}>
      <h1>{refused ? "The token was not accepted" : "A token is needed"}</h1>
      <p>
        Open the link that the command printed when it started, or paste the
        token from it. It stays in this tab.
      </p>
      <label>
        Token
        <input name="token" type="password" autoComplete="off" required />
      </label>
      <button type="submit">Open</button>
    </form>
  );
}

/** The stand-alone dashboard, over a connection that is being opened. */
export function Shell({ first }: { first: Connection }): ReactElement {
  const connection = useConnection(first);
  const [menu, setMenu] = useState(false);
  const { request } = connection.connection;
  const locked = connection.mode === "token" || connection.mode === "oauth";
  const shut = locked && !connection.wasOpen &&
    (connection.state === "closed" || !connection.hasToken);
  return (
    <div className="app">
      <header className="topbar">
        <button
          type="button"
          aria-label="Menu"
          aria-controls="side"
          aria-expanded={menu}
          onClick={() => setMenu(!menu)}
        >
          ☰
        </button>
        Swamp
      </header>
      <Side
        connection={connection}
        request={request}
        open={menu}
        onLeave={() => setMenu(false)}
      />
      <main
        className="main"
        id="main"
        tabIndex={-1}
        onClickCapture={() => setMenu(false)}
      >
        {shut
          ? (
            <SignIn
              refused={connection.hasToken}
              mode={connection.mode}
              signIn={connection.signIn}
            />
          )
          : <AgentSessions request={request} />}
      </main>
    </div>
  );
}
