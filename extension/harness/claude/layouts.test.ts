import { chmodSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import {
  Home,
  SID,
  Tape,
  uuid,
  withHome,
} from "../../../test/oracle/claude-home.ts";
import { rawAnalyst } from "../../../test/oracle/oracle.ts";
import type { SourceFile } from "../types.ts";
import { claude } from "./mod.ts";

const talk = (envelope: Record<string, unknown> = {}, text = "go"): Tape => {
  const tape = new Tape(envelope);
  tape.user(text);
  tape.assistant("done");
  return tape;
};
const agent = (text = "p") => talk({ isSidechain: true, agentId: "x" }, text);

describe("where sessions lie", () => {
  it("subagents are found below their session, workflows deeper, journals are none", async () => {
    await withHome(
      (home) =>
        home.write(`${SID}.jsonl`, talk())
          .write(`${SID}/subagents/agent-a1.jsonl`, agent())
          .write(`${SID}/subagents/agent-a1.meta.json`, '{"agentType":"Plan"}')
          .write(`${SID}/subagents/workflows/wf_1/agent-a2.jsonl`, agent())
          .write(
            `${SID}/subagents/workflows/wf_1/journal.jsonl`,
            '{"type":"started"}\n',
          )
          .write(`${SID}/tool-results/x.txt`, "big")
          .write("sessions-index.json", "{}"),
      ({ units, sessions, subagents, problems }) => {
        expect(sessions.map((s) => s.id)).toEqual([SID]);
        expect(subagents.map((s) => [s.id, s.agentType, s.parent]).sort())
          .toEqual([
            ["a1", "Plan", { session: SID, evidence: "directory" }],
            ["a2", undefined, { session: SID, evidence: "directory" }],
          ]);
        expect(units[0]?.files.map((f) => f.path.split("/").pop())).toEqual([
          `${SID}.jsonl`,
          "agent-a1.jsonl",
          "agent-a1.meta.json",
          "agent-a2.jsonl",
        ]);
        expect(problems).toEqual([]);
      },
    );
  });

  it("flat agent files belong to the session their records name", async () => {
    await withHome(
      (home) =>
        home.write(`${SID}.jsonl`, talk()).write(
          "agent-1a2b3c4.jsonl",
          agent(),
        ),
      ({ sessions, subagents }) => {
        expect(sessions.map((s) => s.id)).toEqual([SID]);
        expect(subagents.map((s) => [s.id, s.parent])).toEqual([
          ["1a2b3c4", { session: SID, evidence: "record" }],
        ]);
      },
    );
  });

  it("sidechains in the session's own file become subagents linked by their prompt", async () => {
    const tape = new Tape();
    tape.user("go");
    const call = tape.call("Task", {
      subagent_type: "Explore",
      prompt: "look",
    });
    const side = { isSidechain: true };
    const root = tape.user("look", { ...side, parentUuid: null });
    tape.assistant("found", {}, side);
    tape.result(call, "ok", { parentUuid: root.uuid });
    await withHome(
      (home) => home.write(`${SID}.jsonl`, tape),
      ({ sessions, subagents }) => {
        expect(sessions[0]?.turns.length).toBe(1);
        expect(sessions[0]?.calls.get(call)?.subagent).toBe(
          `${SID}#${root.uuid}`,
        );
        expect(subagents[0]).toMatchObject({
          id: `${SID}#${root.uuid}`,
          agentType: "Explore",
          parent: { session: SID, call, evidence: "prompt" },
        });
        expect(subagents[0]?.turns[0]?.trigger).toBe("subagent");
      },
    );
  });

  it("subagents whose session is gone are kept under one made for them", async () => {
    await withHome(
      (home) =>
        home.write(`${SID}/subagents/agent-a1.jsonl`, agent())
          .write(
            "agent-b1.jsonl",
            talk({ isSidechain: true, sessionId: uuid(9) }),
          ),
      ({ units, sessions, subagents }) => {
        expect(sessions.map((s) => [s.id, s.placeholder]).sort()).toEqual([
          [uuid(9), true],
          [SID, true],
        ]);
        expect(subagents.map((s) => s.parent?.session).sort()).toEqual([
          uuid(9),
          SID,
        ]);
        expect(sessions.find((s) => s.id === SID)?.startedAt).toBe(
          subagents.find((s) => s.id === "a1")?.startedAt,
        );
        expect(units.map((u) => u.cwd)).toEqual([
          "/home/dev/app",
          "/home/dev/app",
        ]);
      },
    );
  });

  it("the harness's own agents are set apart, their cost kept", async () => {
    await withHome(
      (home) =>
        home.write(`${SID}.jsonl`, talk())
          .write(`${SID}/subagents/agent-acompact-1.jsonl`, agent())
          .write("agent-77aa.jsonl", agent("Warmup")),
      ({ subagents }) => {
        expect(
          subagents.map((s) => [s.id, s.auxiliary, s.tokens.output]).sort(),
        ).toEqual([
          ["77aa", "warmup", 2],
          ["acompact-1", "compact", 2],
        ]);
      },
    );
  });

  it("an agent that a call started is the user's, whatever it is called", async () => {
    const tape = talk();
    const call = tape.call("Agent", { prompt: "Warmup" });
    tape.result(call, "ok", { toolUseResult: { agentId: "acompact-1" } });
    await withHome(
      (home) =>
        home.write(`${SID}.jsonl`, tape)
          .write(`${SID}/subagents/agent-acompact-1.jsonl`, agent("Warmup"))
          .write(`${SID}/subagents/agent-acompact-2.jsonl`, agent("Warmup")),
      ({ subagents }) => {
        expect(
          subagents.map((s) => [s.id, s.auxiliary, s.parent?.call]).sort(),
        ).toEqual([
          ["acompact-1", undefined, call],
          ["acompact-2", "warmup", undefined],
        ]);
      },
    );
  });

  it("several configuration folders are read, each once; of two copies the longest stays", async () => {
    const longer = talk();
    longer.user("more");
    const home = new Home();
    home.write(`${SID}.jsonl`, talk())
      .write(`~/.config/claude/projects/-p/${SID}.jsonl`, longer)
      .write(
        `~/.config/claude/projects/-p/${SID}/subagents/agent-a1.jsonl`,
        agent(),
      )
      .write(
        `~/other/projects/-p/${uuid(5)}.jsonl`,
        talk({ sessionId: uuid(5) }),
      );
    symlinkSync(join(home.dir, "other"), join(home.dir, "linked"));
    const { sessions, subagents, roots } = await home.read({
      CLAUDE_CONFIG_DIR: "~/other",
      CLAUDE_CONFIG_DIRS: `${home.dir}/linked,/nowhere/at/all`,
    });
    expect(sessions.map((s) => [s.id, s.turns.length]).sort()).toEqual([[
      uuid(5),
      1,
    ], [SID, 2]]);
    expect(subagents.length).toBe(1);
    expect(roots.map((r) => [r.exists, r.files])).toEqual([
      [true, 1],
      [true, 2],
      [true, 1],
      [false, 0],
    ]);
    home.remove();
  });

  it("a file that is no UUID goes by the session id in it, unless its name is one", async () => {
    await withHome(
      (home) =>
        home.write("backup of it.jsonl", talk({ sessionId: "ses_1" }))
          .write("ses_2.jsonl", talk({ sessionId: "ses_2" }))
          .write("nameless.jsonl", talk({ sessionId: undefined }))
          .write(`${SID}.jsonl`, talk({ sessionId: "someone-else" })),
      ({ sessions }) => {
        expect(sessions.map((s) => s.id).sort()).toEqual([
          SID,
          "nameless",
          "ses_1",
          "ses_2",
        ]);
      },
    );
  });

  it("the order in which folders list their files does not matter", async () => {
    const files: [string, Tape][] = [
      [`${SID}.jsonl`, talk()],
      ["agent-b.jsonl", agent("same")],
      ["agent-a.jsonl", agent("same")],
      [`${SID}/subagents/agent-c.jsonl`, agent("same")],
    ];
    const seen = [];
    for (const list of [files, [...files].reverse()]) {
      seen.push(
        await withHome((home) => {
          for (const [name, tape] of list) home.write(name, tape);
        }, ({ units, subagents }) => [
          units.map((u) => u.files.map((f) => f.path.split("/").pop())),
          subagents.map((s) => s.id),
        ]),
      );
    }
    expect(seen[0]).toEqual(seen[1]);
  });
});

describe("what is refused, and said", () => {
  const refused = async (content: string | Uint8Array) => {
    const home = new Home();
    home.write(`${SID}.jsonl`, content).write(`${uuid(2)}.jsonl`, talk());
    const { sessions, problems } = await home.read();
    home.remove();
    expect(sessions.map((s) => s.id)).toEqual([uuid(2)]);
    expect(
      problems.every((p) =>
        p.file.endsWith(`${SID}.jsonl`) && p.message.length > 20
      ),
    ).toBe(true);
    return problems.map((p) => p.code);
  };

  it("an empty file", async () => expect(await refused("")).toEqual(["EMPTY"]));
  it("a binary file", async () =>
    expect(await refused(new Uint8Array(5000).map((_, i) => i % 7))).toEqual([
      "BINARY",
    ]));
  it("a file without a conversation", async () => {
    expect(await refused('{"type":"summary","summary":"x","leafUuid":"y"}\n'))
      .toEqual(["NO_SESSION"]);
    expect(await refused("just text\n")).toEqual(["NO_SESSION"]);
    expect(await refused("[1,2]\n")).toEqual(["NO_SESSION"]);
  });
  it("the output of a headless run", async () => {
    const lines = [
      {
        type: "system",
        subtype: "init",
        session_id: "s",
        cwd: "/x",
        tools: [],
      },
      {
        type: "assistant",
        message: { content: [] },
        session_id: "s",
        parent_tool_use_id: null,
      },
      { type: "result", subtype: "success", session_id: "s" },
    ];
    expect(await refused(lines.map((l) => JSON.stringify(l)).join("\n")))
      .toEqual(["STREAM_CAPTURE"]);
  });

  it("newer transcripts repeat the session's id and are no such output", async () => {
    await withHome(
      (home) => home.write(`${SID}.jsonl`, talk({ session_id: SID })),
      ({ sessions }) => expect(sessions.length).toBe(1),
    );
  });

  it.skipIf(typeof process.getuid === "function" && process.getuid() === 0)(
    "a file that may not be read",
    async () => {
      const home = new Home();
      home.write(`${SID}.jsonl`, talk()).write(
        `${SID}/subagents/agent-a1.jsonl`,
        agent(),
      );
      chmodSync(home.path(`${SID}.jsonl`), 0);
      const { sessions, subagents, problems } = await home.read();
      home.remove();
      expect(problems.map((p) => p.code)).toEqual(["UNREADABLE"]);
      expect([sessions[0]?.placeholder, subagents.length]).toEqual([true, 1]);
    },
  );

  it("a file that vanishes between scan and reading", async () => {
    const home = new Home();
    home.write(`${SID}.jsonl`, talk());
    const { units: [unit] } = await home.read();
    home.remove();
    if (!unit) throw new Error("one unit expected");
    const read = await claude.read(unit, { analyst: rawAnalyst });
    expect(read.session).toBeUndefined();
    expect(read.problems.map((p) => p.code)).toEqual(["UNREADABLE"]);
  });
});

describe("heads", () => {
  it("are read once, and a changed file anew", async () => {
    const home = new Home();
    home.write(`${SID}.jsonl`, talk());
    const kept = new Map<string, unknown>();
    const key = (file: SourceFile) => `${file.path} ${file.size}`;
    let puts = 0;
    const cache = {
      get: (file: SourceFile) => kept.get(key(file)),
      put: (file: SourceFile, head: unknown) => {
        puts++;
        kept.set(key(file), JSON.parse(JSON.stringify(head)));
      },
    };
    const first = await home.read({}, {}, cache);
    const second = await home.read({}, {}, cache);
    expect(puts).toBe(1);
    expect(second.units).toEqual(first.units);
    home.write(`${SID}.jsonl`, talk({}, "longer than before"));
    await home.read({}, {}, cache);
    expect(puts).toBe(2);
    home.remove();
  });

  it("tell folder and time even behind many other bytes", async () => {
    const tape = new Tape();
    tape.flat("file-history-snapshot", { snapshot: "x".repeat(200_000) });
    tape.user("go");
    await withHome(
      (home) => home.write(`${SID}.jsonl`, tape),
      ({ units }) => {
        expect(units[0]).toMatchObject({
          cwd: "/home/dev/app",
          startedAt: tape.now,
        });
      },
    );
  });
});
