/**
 * The one thing the page needs from its host: a function that asks the
 * dashboard's server.
 *
 * @module
 */

/**
 * Asks the server; resolves to the answer's `data`, rejects with an error that
 * has the server's `code` where it gave one.
 */
export type Request = (type: string, payload?: unknown) => Promise<unknown>;

/** An error answer, or a failure to get any answer. */
export class RequestError extends Error {
  /**
   * @param code the server's code, or `disconnected`, `timeout`, `bad_answer`
   * @param message what happened
   */
  constructor(readonly code: string, message: string) {
    super(message);
    this.name = "RequestError";
  }
}

/** A plain object, or `undefined`. */
export function asObject(
  value: unknown,
): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as Record<string, unknown>
    : undefined;
}

/** The code and message of whatever a host's request function threw. */
export function describeError(
  error: unknown,
): { code: string; message: string } {
  const object = error instanceof Error
    ? error as Error & { code?: unknown }
    : asObject(error);
  const message = typeof object?.message === "string"
    ? object.message
    : String(error);
  if (typeof object?.code === "string") return { code: object.code, message };
  return {
    code: /\bunauthori[sz]ed\b|\bforbidden\b|permission denied/i.test(message)
      ? "unauthorized"
      : "error",
    message,
  };
}

/** Whether the viewer may not read the data. */
export function isUnauthorized(error: unknown): boolean {
  const { code } = describeError(error);
  return /^(unauthori[sz]ed|forbidden|permission_denied|access_denied)$/i.test(
    code,
  );
}
