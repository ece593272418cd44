import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { zstdFrame as frame } from "../../test/codex.ts";
import { decompress, isZstd, plainBytes, ZstdDamagedError } from "./zstd.ts";

const chunks = function* (bytes: Uint8Array, size: number) {
  // One buffer for all chunks, as a file reader has.
  const buffer = new Uint8Array(size);
  for (let at = 0; at < bytes.length; at += size) {
    const part = bytes.subarray(at, at + size);
    buffer.set(part);
    yield buffer.subarray(0, part.length);
  }
};

const joined = (parts: Iterable<Uint8Array>): number[] =>
  [...parts].flatMap((part) => [...part]);

describe("Zstandard", () => {
  it("plain bytes come back whatever the chunk and block sizes", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 5000 }),
        fc.integer({ min: 20, max: 3000 }),
        fc.integer({ min: 1, max: 2000 }),
        (content, size, block) => {
          const packed = frame(content, block);
          expect(joined(decompress(chunks(packed, size)))).toEqual([
            ...content,
          ]);
          expect(joined(plainBytes(chunks(packed, size)))).toEqual([
            ...content,
          ]);
        },
      ),
      { numRuns: 50 },
    );
  });

  it("what is not compressed passes through", () => {
    const text = new TextEncoder().encode('{"a":1}\n');
    expect(isZstd(text)).toBe(false);
    expect(joined(plainBytes([text]))).toEqual([...text]);
    expect(joined(plainBytes([]))).toEqual([]);
  });

  it("a cut file gives what came before the cut, then the error", () => {
    const content = new Uint8Array(8000).fill(65);
    const packed = frame(content, 1000);
    const got: number[] = [];
    const read = () => {
      for (const part of decompress([packed.subarray(0, 5000)])) {
        got.push(...part);
      }
    };
    expect(read).toThrow(ZstdDamagedError);
    expect(got.length).toBeGreaterThan(2000);
    expect(got.length).toBeLessThan(8000);
  });

  it("random damage throws nothing but its own error", () => {
    const packed = frame(new Uint8Array(3000).fill(66), 500);
    fc.assert(
      fc.property(
        fc.integer({ min: 4, max: packed.length - 1 }),
        fc.integer({ min: 0, max: 255 }),
        (at, value) => {
          const damaged = packed.slice();
          damaged[at] = value;
          try {
            joined(decompress([damaged]));
          } catch (error) {
            expect(error).toBeInstanceOf(ZstdDamagedError);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it("a frame that asks for a huge window is refused before memory is taken", () => {
    const packed = frame(new Uint8Array(10));
    packed[5] = 0xa8; // 2 GB
    expect(() => joined(decompress([packed]))).toThrow("128 MB");
  });

  it("the source is closed when the reader stops early", () => {
    let closed = false;
    const source = function* () {
      try {
        for (;;) yield new Uint8Array(100).fill(65);
      } finally {
        closed = true;
      }
    };
    for (const part of plainBytes(source())) {
      if (part.length > 0) break;
    }
    expect(closed).toBe(true);
  });
});
