/**
 * Zstandard: compressed bytes in, plain bytes out, chunk by chunk.
 *
 * @module
 */
import { Decompress } from "npm:fzstd@0.1.1";

const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];

/**
 * Input handed to the decoder at a time, in bytes. A few bytes may expand to a
 * block of 128 KB, so this bounds what a hostile file can make it hold.
 */
const PIECE = 1024;

/** Largest window accepted, in bytes; the zstd tool's own default limit. */
const MAX_WINDOW = 128 * 1024 * 1024;

/** Thrown where compressed data is damaged, cut off or asks for too much memory. */
export class ZstdDamagedError extends Error {
  /** Stable code of this error. */
  readonly code = "ZSTD_DAMAGED";
}

/** Whether the bytes begin a Zstandard frame. */
export function isZstd(bytes: Uint8Array): boolean {
  return MAGIC.every((byte, i) => bytes[i] === byte);
}

/** Window that the frame at the start of these bytes asks for, in bytes. */
function windowSize(header: Uint8Array): number {
  const descriptor = header[4] ?? 0;
  if ((descriptor & 0x20) === 0) {
    const window = header[5] ?? 0;
    const base = 2 ** (10 + (window >> 3));
    return base + (base / 8) * (window & 7);
  }
  // One segment: the window is the content, whose size follows.
  const dictionary = [0, 1, 2, 4][descriptor & 3] ?? 0;
  const width = [1, 2, 4, 8][descriptor >> 6] ?? 1;
  let size = width === 2 ? 256 : 0;
  for (let i = 0; i < width; i++) {
    size += (header[5 + dictionary + i] ?? 0) * 2 ** (8 * i);
  }
  return size;
}

/**
 * The plain chunks of compressed ones. Chunks may be reused by the source
 * after each step. Throws {@link ZstdDamagedError} where the data is damaged;
 * what came before was already given out.
 */
export function* decompress(
  source: Iterable<Uint8Array>,
): Generator<Uint8Array> {
  const ready: Uint8Array[] = [];
  const decoder = new Decompress((chunk) => {
    if (chunk.length > 0) ready.push(chunk);
  });
  const push = (piece: Uint8Array, final: boolean) => {
    try {
      decoder.push(piece, final);
    } catch (error) {
      const why = error instanceof Error ? error.message : "unknown";
      throw new ZstdDamagedError(`damaged compressed data: ${why}`);
    }
  };
  let first = true;
  for (const chunk of source) {
    if (first && windowSize(chunk) > MAX_WINDOW) {
      throw new ZstdDamagedError("compressed with a window above 128 MB");
    }
    first = false;
    for (let at = 0; at < chunk.length; at += PIECE) {
      // A copy: the decoder keeps what it cannot use yet.
      push(chunk.slice(at, at + PIECE), false);
      yield* ready.splice(0);
    }
  }
  push(new Uint8Array(0), true);
  yield* ready;
}

/**
 * Passes plain chunks through and decompresses others, by their first bytes:
 * names do not always tell. A transform for `readLines`.
 */
export function* plainBytes(
  source: Iterable<Uint8Array>,
): Generator<Uint8Array> {
  const chunks = source[Symbol.iterator]();
  const rest: Iterable<Uint8Array> = { [Symbol.iterator]: () => chunks };
  try {
    const first = chunks.next();
    if (first.done) return;
    const all = function* (): Generator<Uint8Array> {
      yield first.value;
      yield* rest;
    };
    if (isZstd(first.value)) yield* decompress(all());
    else yield* all();
  } finally {
    chunks.return?.();
  }
}
