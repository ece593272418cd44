/**
 * Errors of the local server, and what of them a client may see.
 *
 * @module
 */

/** Codes of error replies; those that swamp has too are named as there. */
export type ErrorCode =
  | "invalid_request"
  | "too_many_requests"
  | "duplicate_id"
  | "not_found"
  | "data_query_failed"
  | "data_get_failed"
  | "upstream_failed";

/** A request that cannot be answered; its message is meant for the client. */
export class RequestError extends Error {
  /** Makes the error. */
  constructor(
    readonly code: ErrorCode,
    message: string,
    /** The request's id, where the error comes before anyone answers it. */
    readonly id?: string,
  ) {
    super(message);
    this.name = "RequestError";
  }
}

/** Longest message in an error reply. */
const MESSAGE_LIMIT = 200;

/** A file path of POSIX or Windows, or one inside `.swamp`. */
const PATH = /(?:^|[\s'"`(:=])(?:~?\/[\w.@-]|[A-Za-z]:[\\/]|\\\\)|\.swamp[\\/]/;

/**
 * The message of an error for a client: short, on one line, and never with a
 * path in it. What was meant for the client passes; anything else is replaced.
 */
export function clientMessage(error: unknown): string {
  if (!(error instanceof RequestError)) return "An internal error occurred";
  const text = error.message.replace(/\s+/g, " ").trim();
  if (PATH.test(text)) return "An internal error occurred";
  return text.length > MESSAGE_LIMIT
    ? `${text.slice(0, MESSAGE_LIMIT)}...`
    : text;
}
