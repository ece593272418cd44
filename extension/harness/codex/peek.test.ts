import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { exited, iso, item, readOne, result } from "../../../test/codex.ts";
import { call, callOf, meta, type Rec, turn } from "../../../test/codex.ts";
import { shortRecord } from "./peek.ts";
import { outcomeOf } from "./results.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const short = (record: Rec | string) =>
  shortRecord(
    encode(typeof record === "string" ? record : JSON.stringify(record)),
    () => true,
  );
const body = "line of output\n".repeat(400);
const json = (exit: number, output = body) =>
  JSON.stringify({
    output,
    metadata: { exit_code: exit, duration_seconds: 0.5 },
  });

describe("records of which the beginning is enough", () => {
  it("come to the same as the whole record", () => {
    const outputs = fc.oneof(
      fc.tuple(fc.integer(), fc.string(), fc.nat(3000)).map(([n, text, pad]) =>
        exited(n, text + "x".repeat(pad) + text)
      ),
      fc.tuple(fc.integer(), fc.string()).map(([n, text]) =>
        json(n, text + body)
      ),
      fc.string().map((text) => text + body),
      fc.string().map((text) => `Chunk ID: 1\nWall time: 1\n${text}${body}`),
      fc.constantFrom(
        `Exit code: 3\nWall time: 1 seconds\nOutput:\n${body}`,
        `{"output":"x","metadata":{"exit_code":5}}${body}`,
        `${body},"metadata":{"exit_code":7,"duration_seconds":1}}`,
      ),
    );
    fc.assert(
      fc.property(outputs, (output) => {
        const whole = result(5, "c", output);
        const found = short(whole);
        if (!found) return;
        const payload = found["payload"] as Rec;
        expect([found["timestamp"], found["type"], payload["call_id"]])
          .toEqual([whole["timestamp"], "response_item", "c"]);
        expect(outcomeOf("shell", payload["output"]))
          .toEqual(outcomeOf("shell", output));
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ["a command's output", result(5, "c", exited(0, body))],
    ["an old result", result(5, "c", json(3))],
    ["reasoning", item(5, "reasoning", { encrypted_content: body })],
    [
      "a text in the user's role",
      item(5, "message", { role: "user", x: body }),
    ],
  ])("%s is one", (_what, record) => {
    const found = short(record);
    expect(found?.["timestamp"]).toBe(iso(5));
    expect(JSON.stringify(found).length).toBeLessThan(400);
  });

  const line = JSON.stringify(result(5, "c", exited(0, body)));
  it.each([
    ["a short line", JSON.stringify(result(5, "c", exited(0)))],
    ["a torn line", line.slice(0, -1)],
    ["glued lines", line + line],
    ["a line with NULs", line.replace("of output", "\0\0")],
    [
      "a reply",
      JSON.stringify(item(5, "message", { role: "assistant", x: body })),
    ],
    ["pictures", JSON.stringify(result(5, "c", [{ type: "x", text: body }]))],
    ["other text", JSON.stringify(result(5, "c", body))],
  ])("%s must be read whole", (_what, text) => {
    expect(short(text)).toBeUndefined();
  });

  it("end their calls like any other", async () => {
    const { session } = await readOne([
      meta(0, "one"),
      ...turn(1, "t1", "Go"),
      call(2, "a", "exec_command", { cmd: "x" }),
      result(3, "a", exited(2, body)),
      call(4, "b", "shell", { command: ["x"] }),
      result(5, "b", json(3)),
    ]);
    expect(["a", "b"].map((id) => callOf(session, id).exitCode))
      .toEqual([2, 3]);
  });
});
