/**
 * Who may talk to the local server. It listens on the loopback address only,
 * yet any page in the person's browser can reach that: so the host and the
 * origin are checked (DNS rebinding, cross-site WebSockets), and data needs a
 * token that is new at every start.
 *
 * @module
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** Names of the one address it listens on. */
const LOOPBACK = ["127.0.0.1", "localhost"];

/** The WebSocket subprotocol that carries the token. */
const BEARER = "bearer.";

/** A new token: 256 bits, safe in URLs and subprotocol names. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Whether the `Host` header names this server by a loopback name. */
export function hostAllowed(host: string | undefined, port: number): boolean {
  return LOOPBACK.some((name) => host?.toLowerCase() === `${name}:${port}`) ||
    // Port 80 is left out of the header.
    (port === 80 && host !== undefined && LOOPBACK.includes(host));
}

/**
 * Whether the `Origin` header is this server's own. Absent is allowed: what is
 * no browser sends none, and needs the token all the same.
 */
export function originAllowed(
  origin: string | undefined,
  port: number,
): boolean {
  return origin === undefined ||
    LOOPBACK.some((name) => origin === `http://${name}:${port}`) ||
    (port === 80 && LOOPBACK.some((name) => origin === `http://${name}`));
}

/**
 * The subprotocol that carries the right token; undefined where none does.
 * Compares hashes, so that neither content nor length shows in the time.
 */
export function acceptedProtocol(
  request: IncomingMessage,
  token: string,
): string | undefined {
  const header = request.headers["sec-websocket-protocol"];
  if (header === undefined || header.length > 4096) return undefined;
  const expected = digest(token);
  let accepted: string | undefined;
  for (const offered of header.split(",")) {
    const protocol = offered.trim();
    if (!protocol.startsWith(BEARER)) continue;
    const given = digest(protocol.slice(BEARER.length));
    if (timingSafeEqual(given, expected)) accepted = protocol;
  }
  return accepted;
}

const digest = (text: string) => createHash("sha256").update(text).digest();

/** Headers of every answer. Nothing from outside, nothing inline, no frames. */
export function securityHeaders(port: number): Record<string, string> {
  const sockets = LOOPBACK.map((name) => `ws://${name}:${port}`).join(" ");
  return {
    "content-security-policy": [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "font-src 'self'",
      // 'self' covers ws: in newer browsers only.
      `connect-src 'self' ${sockets}`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join("; "),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
  };
}
