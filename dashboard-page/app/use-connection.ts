/**
 * The shell's connection to the server, and what the server wants of us.
 *
 * @module
 */
import { useCallback, useEffect, useMemo, useState } from "react";
import { asObject } from "../client/request.ts";
import {
  connect,
  type Connection,
  type SocketState,
  TOKEN_KEY,
} from "../client/socket.ts";

/** How the server lets people in. */
export type AuthMode = "none" | "token" | "oauth" | "unknown";

/** The connection and its state. */
export interface ShellConnection {
  connection: Connection;
  state: SocketState;
  /** Whether it was ever open. */
  wasOpen: boolean;
  mode: AuthMode;
  hasToken: boolean;
  /** Keeps a token and connects with it. */
  signIn(token: string): void;
  /** Forgets the token. */
  signOut(): void;
}

function socketUrl(): string {
  const url = new URL("./", location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  url.hash = "";
  url.search = "";
  return url.href;
}

async function authMode(): Promise<AuthMode> {
  try {
    const answer = await fetch(new URL("./auth/info", location.href));
    const mode = asObject(await answer.json())?.mode;
    return mode === "none" || mode === "token" || mode === "oauth"
      ? mode
      : "unknown";
  } catch {
    return "unknown"; // The socket will tell whether there is a server.
  }
}

/** Opens a connection to the server that the page came from. */
export function openConnection(token: string | null): Connection {
  return connect({ url: socketUrl(), ...(token ? { token } : {}) });
}

/**
 * The connection and all that may become of it.
 *
 * @param first opened before anything was painted, with the token that is kept
 */
export function useConnection(first: Connection): ShellConnection {
  const [token, setToken] = useState(() => sessionStorage.getItem(TOKEN_KEY));
  const [mode, setMode] = useState<AuthMode>("unknown");
  const [connection, setConnection] = useState(first);
  const [state, setState] = useState<SocketState>("connecting");
  const [wasOpen, setWasOpen] = useState(false);

  useEffect(() => {
    authMode().then(setMode);
  }, []);
  useEffect(() => {
    setWasOpen(false);
    return connection.onState((next) => {
      setState(next);
      if (next === "open") setWasOpen(true);
    });
  }, [connection]);

  const renew = useCallback((next: string | null) => {
    setToken(next);
    connection.close();
    setConnection(openConnection(next));
  }, [connection]);
  const signIn = useCallback((next: string) => {
    sessionStorage.setItem(TOKEN_KEY, next);
    renew(next);
  }, [renew]);
  const signOut = useCallback(() => {
    sessionStorage.removeItem(TOKEN_KEY);
    renew(null);
  }, [renew]);
  return useMemo(
    () => ({
      connection,
      state,
      wasOpen,
      mode,
      hasToken: token !== null,
      signIn,
      signOut,
    }),
    [connection, state, wasOpen, mode, token, signIn, signOut],
  );
}
