import {
  appendFileSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  Home,
  plain,
  SID,
  START,
  Tape,
  uuid,
  withHome,
} from "../../../test/oracle/claude-home.ts";
import { rawAnalyst } from "../../../test/oracle/oracle.ts";
import { configDirs } from "./discover.ts";
import { claude } from "./mod.ts";

function talk(sessionId = SID, text: unknown = "go"): Tape {
  const tape = new Tape({ sessionId });
  tape.user(text);
  tape.call("Bash", { command: "ls" });
  return tape;
}

describe("several configuration folders in one variable", () => {
  const dirs = (value: string, home = "/nobody") =>
    configDirs({ home, vars: { CLAUDE_CONFIG_DIR: value } }).slice(2);

  it.each([",", ";", ...(delimiter === ":" ? [":"] : [])])(
    "are divided by %s",
    (mark) => {
      expect(dirs(["/no/a", " ~/b ", "", "/no/a"].join(mark))).toEqual([
        "/no/a",
        join("/nobody", "b"),
      ]);
    },
  );

  it("a folder whose own name holds a divider is one", () => {
    const home = new Home();
    const odd = join(home.dir, "a, b");
    mkdirSync(odd);
    expect(dirs(odd, home.dir)).toEqual([odd]);
    home.remove();
  });
});

describe("folders and files that come, go and hide", () => {
  it("a project linked from a second place is read once", async () => {
    await withHome((home) => {
      home.write(`${SID}.jsonl`, talk());
      symlinkSync(home.path(""), join(home.dir, ".claude/projects/-linked"));
    }, ({ sessions, problems }) => {
      expect(sessions.map((s) => s.id)).toEqual([SID]);
      expect(problems).toEqual([]);
    });
  });

  it("a project that is only a link is read", async () => {
    await withHome((home) => {
      home.write("~/elsewhere/p/" + `${SID}.jsonl`, talk());
      mkdirSync(join(home.dir, ".claude/projects"), { recursive: true });
      symlinkSync(
        join(home.dir, "elsewhere/p"),
        join(home.dir, ".claude/projects/-linked"),
      );
    }, ({ sessions }) => expect(sessions.map((s) => s.id)).toEqual([SID]));
  });

  it("a folder of subagents that cannot be listed is said", async () => {
    await withHome((home) => {
      home.write(`${SID}.jsonl`, talk()).write(`${SID}/x`, "");
      symlinkSync("subagents", home.path(`${SID}/subagents`));
    }, ({ sessions, problems }) => {
      expect(sessions.length).toBe(1);
      expect(problems.map((p) => [p.code, p.file.endsWith("subagents")]))
        .toEqual([["UNREADABLE", true]]);
    });
  });

  it("a file in the place of a folder is none, and no problem", async () => {
    await withHome(
      (home) =>
        home.write(`${SID}.jsonl`, talk()).write(`${SID}/subagents`, "")
          .write("~/.config/claude/projects", ""),
      ({ problems }) => expect(problems).toEqual([]),
    );
  });

  it("a session whose own file vanishes before it is read is left for the next time", async () => {
    const home = new Home();
    const child = new Tape({ isSidechain: true }, START + 1000);
    child.user("look");
    home.write(`${SID}.jsonl`, talk())
      .write(`${SID}/subagents/agent-a1.jsonl`, child);
    const { units: [unit] } = await home.read();
    if (!unit) throw new Error("one unit expected");
    rmSync(home.path(`${SID}.jsonl`));
    const read = await claude.read(unit, { analyst: rawAnalyst });
    expect([read.session, read.subagents]).toEqual([undefined, []]);
    expect(read.problems.map((p) => p.code)).toEqual(["UNREADABLE"]);
    // At the next scan it is an orphan's parent.
    const { sessions } = await home.read();
    expect(sessions.map((s) => [s.id, s.placeholder])).toEqual([[SID, true]]);
    home.remove();
  });

  it("a file that grows while it is read gives whole records, and the rest the next time", async () => {
    const home = new Home();
    const path = home.path(`${SID}.jsonl`);
    const tape = talk();
    for (let i = 0; i < 300; i++) tape.user(`${i} ${"x".repeat(10_000)}`);
    home.write(`${SID}.jsonl`, tape);
    const more = talk().text();
    let times = 0;
    const grown = await home.read({}, {
      progress: () => {
        // Half a line, then its other half and the next half.
        const at = times++ * 37;
        if (times < 5) appendFileSync(path, more.slice(at, at + 37));
      },
    });
    expect(times).toBeGreaterThan(2);
    expect(grown.problems).toEqual([]);
    expect(grown.sessions[0]).toMatchObject({ badLines: 0, tornTail: true });
    expect(grown.sessions[0]?.turns.length).toBe(301);
    writeFileSync(path, tape.text() + more);
    const { sessions } = await home.read();
    writeFileSync(home.path(`${uuid(9)}.jsonl`), "");
    const again = await home.read();
    expect(sessions.map(plain)).toEqual(again.sessions.map(plain));
    expect(sessions[0]).toMatchObject({ tornTail: false });
    expect(sessions[0]?.turns.length).toBe(302);
    home.remove();
  });

  it("a first prompt with megabytes of images still tells the folder", async () => {
    const image = {
      type: "image",
      source: { type: "base64", data: "A".repeat(3_000_000) },
    };
    await withHome(
      (home) => home.write(`${SID}.jsonl`, talk(SID, [image])),
      ({ units }) =>
        expect(units[0]).toMatchObject({
          cwd: "/home/dev/app",
          startedAt: START + 1000,
        }),
    );
  });
});
