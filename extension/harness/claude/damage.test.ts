import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  build,
  Home,
  plain,
  SID,
  Tape,
  uuid,
  withHome,
} from "../../../test/oracle/claude-home.ts";
import { rawAnalyst } from "../../../test/oracle/oracle.ts";
import type { BuiltSession } from "../../session/model.ts";

/** A session with something of everything. */
function rich(): Tape {
  const tape = new Tape({ version: "2.1.40" });
  tape.flat("permission-mode", { permissionMode: "default" });
  tape.user("go");
  const bash = tape.call("Bash", { command: "make" });
  tape.result(
    bash,
    "Exit code 2\nno",
    { toolUseResult: "Error: Exit code 2" },
    { is_error: true },
  );
  const task = tape.call("Task", { subagent_type: "Plan", prompt: "look" });
  tape.user("look", { isSidechain: true, parentUuid: null });
  tape.assistant("seen", {}, { isSidechain: true });
  tape.result(task, [{ type: "text", text: "ok" }], {
    toolUseResult: { agentId: "a1", status: "completed" },
  });
  const back = tape.call("Bash", {
    command: "sleep 9",
    run_in_background: true,
  });
  tape.result(back, "Command running in background with ID: t1", {
    toolUseResult: { backgroundTaskId: "t1" },
  });
  tape.add("system", { subtype: "compact_boundary" });
  tape.user("and", {});
  tape.add("attachment", {
    attachment: { type: "queued_command", prompt: "x" },
  });
  tape.user(
    "<task-notification><task-id>t1</task-id><status>failed</status><summary>exit code 3</summary></task-notification>",
  );
  tape.assistant([{ type: "text", text: "bye — “so” \u2028 long" }]);
  return tape;
}

async function readText(text: string | Uint8Array) {
  return await withHome(
    (home) => home.write(`${SID}.jsonl`, text),
    (result) => result,
  );
}
const one = async (text: string | Uint8Array): Promise<BuiltSession> => {
  const [session] = (await readText(text)).sessions;
  if (!session) throw new Error("no session");
  return session;
};
/** What damage must not change; sizes and counts of damage aside. */
const essence = (session: BuiltSession): unknown => {
  const { bytes: _b, badLines: _l, tornTail: _t, ...rest } = plain(
    session,
  ) as Record<string, unknown>;
  return rest;
};

describe("damaged files", () => {
  const text = rich().text();

  it.each<[string, (text: string) => string]>([
    [
      "a byte order mark and CRLF",
      (t) => "\ufeff" + t.replaceAll("\n", "\r\n"),
    ],
    [
      "NULs between records",
      (t) => t.replaceAll("\n", "\n" + "\0".repeat(500) + "\n"),
    ],
    ["NULs before a record", (t) => t.replace("\n", "\n" + "\0".repeat(300))],
    ["records glued together", (t) => t.replace("}\n{", "}{")],
    [
      "blank lines and no last line feed",
      (t) => t.replaceAll("\n", "\n\n").trimEnd(),
    ],
  ])("%s change nothing", async (_what, damage) => {
    const { sessions, problems } = await readText(damage(text));
    const [session] = sessions;
    expect(session && essence(session)).toEqual(essence(await one(text)));
    expect([session?.badLines, session?.tornTail, problems]).toEqual([
      0,
      false,
      [],
    ]);
  });

  it("a damaged line is left out, counted, and said once with its number", async () => {
    const { sessions, problems } = await readText(
      text.replace("\n", "\n{broken\n\u0001\n"),
    );
    expect(sessions[0]?.badLines).toBe(2);
    expect(sessions[0] && essence(sessions[0])).toEqual(
      essence(await one(text)),
    );
    expect(problems.map((p) => [p.code, p.line])).toEqual([[
      "DAMAGED_LINES",
      2,
    ]]);
  });

  it("of a whole record and a torn one on one line the whole one is read, and one line counted", async () => {
    const torn = text.replace("}\n{", '}{"type":"user","mess\n{');
    const { sessions, problems } = await readText(torn);
    const [session] = sessions;
    expect(session && essence(session)).toEqual(essence(await one(text)));
    expect([session?.badLines, problems.map((p) => p.line)]).toEqual([1, [1]]);
  });

  it("a torn last line is live, not damaged", async () => {
    const { sessions, problems } = await readText(text.slice(0, -40));
    expect(sessions[0]).toMatchObject({ tornTail: true, badLines: 0 });
    expect(problems).toEqual([]);
  });

  it("a line of many megabytes is read", async () => {
    const tape = new Tape();
    tape.user([{ type: "image", source: { data: "A".repeat(11_000_000) } }]);
    expect((await build(tape)).turns.length).toBe(1);
  });

  it("invalid UTF-8 spoils no record", async () => {
    const bytes = new TextEncoder().encode(text);
    const at = text.indexOf("bye");
    bytes[new TextEncoder().encode(text.slice(0, at)).length] = 0xff;
    expect(essence(await one(bytes))).toEqual(essence(await one(text)));
  });

  it("values of the wrong kind are passed over", async () => {
    const tape = new Tape();
    tape.user("go");
    for (const wrong of [null, 5, [], {}, "x", true]) {
      tape.add("assistant", { message: wrong });
      tape.assistant(wrong);
      tape.assistant([wrong], { usage: wrong, id: wrong, model: wrong });
      tape.user(wrong);
      tape.user([{
        type: "tool_result",
        tool_use_id: wrong,
        content: wrong,
        is_error: wrong,
      }], { toolUseResult: wrong });
      tape.assistant([{
        type: "tool_use",
        id: wrong,
        name: wrong,
        input: wrong,
      }]);
      tape.add("attachment", { attachment: wrong });
      tape.add("system", { subtype: wrong, content: wrong });
      tape.add("progress", { data: wrong });
      tape.flat("queue-operation", { content: wrong, timestamp: wrong });
      tape.add("user", {
        uuid: wrong,
        parentUuid: wrong,
        isSidechain: wrong,
        cwd: wrong,
        version: wrong,
        entrypoint: wrong,
        origin: wrong,
      });
    }
    const session = await build(tape);
    expect(session.turns.length).toBeGreaterThan(0);
    expect(Object.values(session.tokens).every(Number.isFinite)).toBe(true);
  });
});

describe("properties", () => {
  it("no mutation of a transcript throws, and counts stay finite", async () => {
    const bytes = new TextEncoder().encode(rich().text());
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            at: fc.nat(bytes.length - 1),
            kind: fc.constantFrom("set", "cut", "repeat", "insert"),
            byte: fc.constantFrom(0, 10, 34, 44, 48, 57, 92, 93, 123, 125, 255),
            length: fc.nat(200),
          }),
          { minLength: 1, maxLength: 6 },
        ),
        async (mutations) => {
          let data = Array.from(bytes);
          for (const { at, kind, byte, length } of mutations) {
            if (kind === "set") data[at % data.length] = byte;
            else if (kind === "insert") {
              data.splice(at, 0, ...new Array<number>(length).fill(byte));
            } else if (kind === "cut") data.splice(at, length);
            else {data = [
                ...data.slice(0, at),
                ...data.slice(at, at + length),
                ...data.slice(at),
              ];}
            if (data.length === 0) data = [10];
          }
          const { sessions, subagents } = await readText(Uint8Array.from(data));
          for (const session of [...sessions, ...subagents]) {
            const numbers = [
              session.tokens.input,
              session.tokens.output,
              session.startedAt,
              session.endedAt,
              ...[...session.calls.values()].map((c) => c.startedAt),
            ];
            expect(numbers.every(Number.isFinite)).toBe(true);
            expect(session.calls.size).toBeLessThan(50);
            expect(session.turns.reduce((n, t) => n + t.calls.length, 0)).toBe(
              session.calls.size,
            );
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it("leaving out the bulk changes nothing that is built", async () => {
    const tape = rich();
    const bulk = 'some "quoted"\\n output — '.repeat(500);
    const more = tape.call("Write", { file_path: "/w", content: bulk });
    tape.result(more, bulk, {
      toolUseResult: { filePath: "/w", content: bulk, structuredPatch: [bulk] },
    });
    const bash = tape.call("Bash", { command: `cat <<E\n${bulk}\nE` });
    tape.result(bash, `Exit code 3\n${bulk}`, {
      toolUseResult: `Error: Exit code 3\n${bulk}`,
    }, { is_error: true });
    tape.user(`a long prompt ${bulk}`);
    const home = new Home();
    home.write(`${SID}.jsonl`, tape);
    const skimmed = await home.read();
    const whole = await home.read({}, { texts: () => {} });
    home.remove();
    expect(skimmed.sessions.map(plain)).toEqual(whole.sessions.map(plain));
    expect(skimmed.sessions[0]?.calls.get(bash)).toMatchObject({
      exitCode: 3,
      facts: { text: `cat <<E\n${bulk}\nE` },
    });
  });

  it("a test's outcome is told from its whole output", async () => {
    const tape = new Tape();
    tape.user("go");
    const id = tape.call("Bash", { command: "npm test" });
    tape.result(id, `${"noise ".repeat(2000)}12 passed`, {
      toolUseResult: { returnCodeInterpretation: "x" },
    });
    const home = new Home();
    home.write(`${SID}.jsonl`, tape);
    const { sessions } = await home.read({}, {
      analyst: {
        call: (tool, input) => ({
          ...rawAnalyst.call(tool, input),
          test: "npm",
        }),
        testOutcome: (_runner, output) => output.reveal().endsWith("12 passed"),
      },
    });
    home.remove();
    expect(sessions[0]?.calls.get(id)?.passed).toBe(true);
  });

  it("one broken file stops no other", async () => {
    const home = new Home();
    home.write(`${SID}.jsonl`, rich());
    home.write(`${uuid(1, 1)}.jsonl`, "\0".repeat(100));
    home.write(`${uuid(2, 1)}.jsonl`, "[".repeat(100_000));
    home.write(`${SID}/subagents/agent-a1.jsonl`, "}{".repeat(1000));
    const { sessions } = await home.read();
    home.remove();
    expect(sessions.find((s) => s.id === SID)?.calls.size).toBe(3);
  });

  it("a file read as it grows ends as it does when read at once", async () => {
    const tape = rich();
    const home = new Home();
    let last: unknown;
    for (let n = 1; n <= tape.records.length; n++) {
      home.write(
        `${SID}.jsonl`,
        tape.records.slice(0, n).map((r) => JSON.stringify(r) + "\n").join(""),
      );
      last = (await home.read()).sessions.map(plain);
    }
    home.remove();
    expect(last).toEqual([plain(await one(tape.text()))]);
  });

  it("reading stops when asked, and tells how far it is", async () => {
    const home = new Home();
    home.write(`${SID}.jsonl`, rich());
    let bytes = 0;
    await home.read({}, { progress: (n) => bytes += n });
    expect(bytes).toBe(new TextEncoder().encode(rich().text()).length);
    const stop = new AbortController();
    stop.abort(new Error("stopped"));
    await expect(home.read({}, { signal: stop.signal })).rejects.toThrow(
      "stopped",
    );
    home.remove();
  });
});
