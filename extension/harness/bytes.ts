/**
 * Looking for a byte.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { versions } from "node:process";

/** Node's own search is many times faster than a typed array's; Deno's is slower. */
const native = !("deno" in versions);

/** The first place of a byte from `from` on; -1 where there is none. */
export function findByte(
  bytes: Uint8Array,
  byte: number,
  from: number,
): number {
  return native
    ? Buffer.prototype.indexOf.call(bytes, byte, from)
    : bytes.indexOf(byte, from);
}
