import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { TokenCounter } from "./tokens.ts";

const use = (input: number, cached: number, output: number) => ({
  input_tokens: input,
  cached_input_tokens: cached,
  output_tokens: output,
});
const info = (total: object, last?: object) => ({
  total_token_usage: total,
  ...(last ? { last_token_usage: last } : {}),
});

describe("token counts", () => {
  it("a repeated total adds nothing", () => {
    const counter = new TokenCounter();
    expect(counter.add(info(use(100, 40, 10), use(100, 40, 10))))
      .toEqual({ input: 60, output: 10, cacheRead: 40, cacheWrite: 0 });
    expect(counter.add(info(use(100, 40, 10), use(100, 40, 10))))
      .toBeUndefined();
    expect(counter.add(null)).toBeUndefined();
    expect(counter.add({ prompt: 5 })).toBeUndefined();
  });

  it("the difference of totals wins over what the last response is said to be", () => {
    const counter = new TokenCounter();
    counter.add(info(use(100, 0, 10)));
    expect(counter.add(info(use(300, 50, 30), use(1, 0, 1))))
      .toEqual({ input: 150, output: 20, cacheRead: 50, cacheWrite: 0 });
  });

  it("after a reset the last response counts", () => {
    const counter = new TokenCounter();
    counter.add(info(use(1000, 0, 10)));
    expect(counter.add(info(use(80, 30, 5), use(70, 30, 5))))
      .toEqual({ input: 40, output: 5, cacheRead: 30, cacheWrite: 0 });
    expect(counter.add(info(use(90, 30, 6))))
      .toEqual({ input: 10, output: 1, cacheRead: 0, cacheWrite: 0 });
  });

  it("a count that goes on from copied history adds only what is its own", () => {
    const counter = new TokenCounter(true);
    counter.skip(info(use(1000, 500, 50)));
    expect(counter.add(info(use(1100, 500, 60), use(9, 9, 9))))
      .toEqual({ input: 100, output: 10, cacheRead: 0, cacheWrite: 0 });
  });

  it("a count that goes on from a history elsewhere adds its last response", () => {
    const counter = new TokenCounter(true);
    expect(counter.add(info(use(160, 0, 40), use(120, 0, 30))))
      .toEqual({ input: 120, output: 30, cacheRead: 0, cacheWrite: 0 });
  });

  it("a growing count adds up to its total, whatever is repeated", () => {
    const steps = fc.array(
      fc.tuple(fc.nat(1000), fc.nat(500), fc.nat(1), fc.nat(2)),
      { minLength: 1 },
    );
    fc.assert(fc.property(steps, (list) => {
      const counter = new TokenCounter();
      const sum = { input: 0, output: 0, cacheRead: 0 };
      let input = 0, cached = 0, output = 0;
      for (const [more, part, some, repeats] of list) {
        input += more + part;
        cached += part;
        output += some;
        for (let i = 0; i <= repeats; i++) {
          const delta = counter.add(info(use(input, cached, output)));
          sum.input += delta?.input ?? 0;
          sum.output += delta?.output ?? 0;
          sum.cacheRead += delta?.cacheRead ?? 0;
        }
      }
      expect(sum).toEqual({
        input: input - cached,
        output,
        cacheRead: cached,
      });
    }));
  });

  it("nonsense never gives anything but counts", () => {
    fc.assert(fc.property(fc.array(fc.jsonValue()), (values) => {
      const counter = new TokenCounter();
      for (const value of values) {
        const delta = counter.add({
          total_token_usage: { input_tokens: value, output_tokens: value },
          last_token_usage: value,
        });
        for (const n of Object.values(delta ?? {})) {
          expect(Number.isSafeInteger(n) && n >= 0).toBe(true);
        }
      }
    }));
  });
});
