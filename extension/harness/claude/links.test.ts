import { describe, expect, it } from "vitest";
import {
  SID,
  START,
  Tape,
  withHome,
} from "../../../test/oracle/claude-home.ts";

const SUB = `${SID}/subagents`;

/** A parent with one call, and a child that answers its prompt. */
function family() {
  const parent = new Tape();
  parent.user("go");
  const call = parent.call("Agent", {
    subagent_type: "Explore",
    prompt: "look at it",
  });
  const child = new Tape({ isSidechain: true }, START + 1000);
  child.user("look at it");
  child.assistant("seen");
  return { parent, call, child };
}

describe("which call started which subagent", () => {
  it.each(["result", "progress", "notification"])(
    "evidence: %s",
    async (evidence) => {
      const { parent, call, child } = family();
      child.records[0] = {
        ...child.records[0],
        message: { role: "user", content: "other words" },
      };
      if (evidence === "progress") {
        parent.add("progress", {
          parentToolUseID: call,
          data: { type: "agent_progress", agentId: "a1" },
        });
      }
      if (evidence === "notification") {
        parent.flat("queue-operation", {
          content:
            `<task-notification><task-id>a1</task-id><tool-use-id>${call}</tool-use-id></task-notification>`,
        });
      }
      parent.result(
        call,
        "ok",
        evidence === "result" ? { toolUseResult: { agentId: "a1" } } : {},
      );
      await withHome(
        (home) =>
          home.write(`${SID}.jsonl`, parent).write(
            `${SUB}/agent-a1.jsonl`,
            child,
          ),
        ({ sessions, subagents }) => {
          expect(subagents[0]?.parent).toEqual({
            session: SID,
            call,
            evidence,
          });
          expect(subagents[0]?.agentType).toBe("Explore");
          expect(sessions[0]?.calls.get(call)?.subagent).toBe("a1");
        },
      );
    },
  );

  it("a sidecar goes before everything else, and an equal prompt comes last", async () => {
    const { parent, call, child } = family();
    const other = parent.call("Agent", {
      subagent_type: "Plan",
      prompt: "look at it",
    });
    parent.result(other, "ok", { toolUseResult: { agentId: "a1" } });
    await withHome(
      (home) =>
        home.write(`${SID}.jsonl`, parent)
          .write(`${SUB}/agent-a1.jsonl`, child)
          .write(
            `${SUB}/agent-a1.meta.json`,
            JSON.stringify({ toolUseId: call, agentType: "Mine" }),
          ),
      ({ subagents }) => {
        expect(subagents[0]).toMatchObject({
          agentType: "Mine",
          parent: { session: SID, call, evidence: "sidecar" },
        });
      },
    );
    await withHome(
      (home) =>
        home.write(`${SID}.jsonl`, family().parent).write(
          `${SUB}/agent-a1.jsonl`,
          child,
        ),
      ({ subagents }) => expect(subagents[0]?.parent?.evidence).toBe("prompt"),
    );
  });

  it("equal prompts go to their calls in the order of time, each call once", async () => {
    const parent = new Tape();
    parent.user("go");
    const calls = [0, 1].map(() => parent.call("Task", { prompt: "same" }));
    const children = [1000, 2000, 3000].map((wait) => {
      const child = new Tape({ isSidechain: true }, START + wait);
      child.user("same");
      return child;
    });
    await withHome(
      (home) => {
        home.write(`${SID}.jsonl`, parent);
        // Named against their order.
        children.forEach((child, i) =>
          home.write(`${SUB}/agent-${9 - i}.jsonl`, child)
        );
      },
      ({ subagents }) => {
        expect(subagents.map((s) => [s.id, s.parent?.call])).toEqual([
          ["9", calls[0]],
          ["8", calls[1]],
          ["7", undefined],
        ]);
      },
    );
  });

  it("subagents of subagents hang below them, at any depth", async () => {
    const depth = 6;
    let call = "";
    await withHome((home) => {
      for (let i = 0; i < depth; i++) {
        const tape = new Tape(i === 0 ? {} : { isSidechain: true });
        tape.user(`level ${i}`);
        const next = tape.call("Agent", { prompt: `level ${i + 1}` });
        home.write(i === 0 ? `${SID}.jsonl` : `${SUB}/agent-a${i}.jsonl`, tape);
        if (i > 0) {
          home.write(
            `${SUB}/agent-a${i}.meta.json`,
            JSON.stringify({ toolUseId: call, parentAgentId: `a${i - 1}` }),
          );
        }
        call = next;
      }
    }, ({ subagents }) => {
      const parents = new Map(subagents.map((s) => [s.id, s.parent?.session]));
      expect(parents.get("a1")).toBe(SID);
      for (let i = 2; i < depth; i++) {
        expect(parents.get(`a${i}`)).toBe(`a${i - 1}`);
      }
    });
  });

  it("a sidecar without a call links to the agent or session it names", async () => {
    const { parent, child } = family();
    await withHome(
      (home) =>
        home.write(`${SID}.jsonl`, new Tape().user("go") && parent)
          .write(`${SUB}/agent-a1.jsonl`, child)
          .write(
            `${SUB}/agent-b1.jsonl`,
            (() => {
              const tape = new Tape({ isSidechain: true });
              tape.user("something else");
              return tape;
            })(),
          )
          .write(`${SUB}/agent-b1.meta.json`, '{"parentAgentId":"a1"}')
          .write(
            `${SUB}/agent-c1.jsonl`,
            (() => {
              const tape = new Tape({ isSidechain: true });
              tape.user("<teammate-message>hi</teammate-message>");
              return tape;
            })(),
          )
          .write(
            `${SUB}/agent-c1.meta.json`,
            '{"taskKind":"in_process_teammate","name":"n"}',
          ),
      ({ subagents }) => {
        const parents = new Map(subagents.map((s) => [s.id, s.parent]));
        expect(parents.get("b1")).toEqual({
          session: "a1",
          evidence: "sidecar",
        });
        expect(parents.get("c1")).toEqual({
          session: SID,
          evidence: "directory",
        });
      },
    );
  });

  it.each([
    [{ transcriptDir: "/x/subagents/workflows/wf_9" }],
    [{ runId: "wf_9", transcriptDir: "/elsewhere" }],
    [{ runId: "9" }],
  ])(
    "workflow agents link to the call whose run they lie in: %j",
    async (told) => {
      const parent = new Tape();
      parent.user("go");
      const call = parent.call("Workflow", { name: "w" });
      parent.result(call, "started", { toolUseResult: told });
      const child = new Tape({ isSidechain: true });
      child.user("step");
      await withHome(
        (home) =>
          home.write(`${SID}.jsonl`, parent)
            .write(`${SUB}/workflows/wf_9/agent-a1.jsonl`, child)
            .write(
              `${SUB}/workflows/wf_9/agent-a1.meta.json`,
              '{"agentType":"workflow-subagent","spawnDepth":1}',
            ),
        ({ subagents }) => {
          expect(subagents[0]).toMatchObject({
            agentType: "workflow-subagent",
            parent: { session: SID, call, evidence: "workflow" },
          });
        },
      );
    },
  );

  it("a resumed agent is one subagent with several calls", async () => {
    const { parent, call, child } = family();
    parent.result(call, "ok", { toolUseResult: { agentId: "a1" } });
    const again = parent.call("Agent", { resume: "a1", prompt: "go on" });
    parent.result(again, "ok", { toolUseResult: { agentId: "a1" } });
    child.user("go on");
    await withHome(
      (home) =>
        home.write(`${SID}.jsonl`, parent).write(
          `${SUB}/agent-a1.jsonl`,
          child,
        ),
      ({ sessions, subagents }) => {
        expect(subagents.map((s) => [s.parent?.call, s.turns.length])).toEqual([
          [call, 2],
        ]);
        expect([call, again].map((id) => sessions[0]?.calls.get(id)?.subagent))
          .toEqual(["a1", "a1"]);
      },
    );
  });

  it("agents that name each other as parents end under the session", async () => {
    const tapes = ["a1", "b1"].map(() => {
      const tape = new Tape({ isSidechain: true });
      tape.user("x");
      return { tape, call: tape.call("Agent", { prompt: "y" }) };
    });
    const [a, b] = tapes;
    if (!a || !b) throw new Error("two tapes");
    await withHome(
      (home) =>
        home.write(`${SID}.jsonl`, family().parent)
          .write(`${SUB}/agent-a1.jsonl`, a.tape)
          .write(
            `${SUB}/agent-a1.meta.json`,
            JSON.stringify({ toolUseId: b.call }),
          )
          .write(`${SUB}/agent-b1.jsonl`, b.tape)
          .write(
            `${SUB}/agent-b1.meta.json`,
            JSON.stringify({ toolUseId: a.call }),
          ),
      ({ subagents }) => {
        const parents = new Map(
          subagents.map((s) => [s.id, s.parent?.session]),
        );
        expect([...parents.values()].filter((p) => p === SID).length).toBe(1);
      },
    );
  });

  it("a damaged sidecar leaves weaker evidence", async () => {
    const { parent, call, child } = family();
    await withHome(
      (home) =>
        home.write(`${SID}.jsonl`, parent)
          .write(`${SUB}/agent-a1.jsonl`, child)
          .write(`${SUB}/agent-a1.meta.json`, '{"toolUseId": "toolu_'),
      ({ subagents }) => {
        expect(subagents[0]?.parent).toEqual({
          session: SID,
          call,
          evidence: "prompt",
        });
      },
    );
  });
});
