/**
 * Ids as a harness writes them are anything: bounded here, made safe later.
 *
 * @module
 */
import { hash53 } from "../../../schema/mod.ts";

const LIMIT = 200;

/** An id of at most 200 characters; longer ones are cut and told apart by a hash. */
export function boundedId(raw: string): string {
  return raw.length <= LIMIT
    ? raw
    : `${raw.slice(0, 160)}-${hash53(raw).toString(36)}`;
}

/** Whether a text has the shape of a UUID. */
export function isUuid(text: string): boolean {
  return text.length === 36 &&
    /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(
      text,
    );
}
