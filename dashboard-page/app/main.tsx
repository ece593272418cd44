/**
 * Starts the stand-alone page.
 *
 * @module
 */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { takeToken, TOKEN_KEY } from "../client/socket.ts";
import { Shell } from "./Shell.tsx";
import { applyTheme, storedTheme } from "./theme.ts";
import { openConnection } from "./use-connection.ts";
import "./shell.css";

applyTheme(storedTheme());

// The token leaves the address bar at once, so that no copied link holds it.
const { token, rest } = takeToken(location.hash);
if (token) {
  sessionStorage.setItem(TOKEN_KEY, token);
  history.replaceState(
    null,
    "",
    location.pathname + location.search + (rest ? `#${rest}` : ""),
  );
}

// Its handshake and the first queries need not wait for the first paint.
const connection = openConnection(sessionStorage.getItem(TOKEN_KEY));

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Shell first={connection} />
    </StrictMode>,
  );
}
