import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TEXT_LIMIT } from "../../schema/mod.ts";
import type { CallInput } from "../session/model.ts";
import { PrivateText } from "../session/private-text.ts";
import { Analyst } from "./analyst.ts";

const token = ["ghp", "_", "a1B2c3D4e5F6g7H8i9J0", "k1L2m3N4o5P6q7R8"].join("");
const analyst = new Analyst().at({
  cwd: "/home/jane/app",
  roots: ["/home/jane/app"],
});
const shell = (text: string): CallInput => ({
  kind: "shell",
  text: new PrivateText(text),
});

describe("the facts of a call", () => {
  it("point at the part that decided, in the text as it is stored", () => {
    const facts = analyst.call(
      "Bash",
      shell(`export T=${token}; aws s3 rm s3://b/k`),
    );
    expect(facts).toMatchObject({ label: "bypass", mutating: true });
    expect(facts.text).not.toContain("ghp_");
    expect(facts.redactions).toBe(1);
    expect(facts.text.slice(...facts.why!)).toContain("aws");
  });

  it("tell of the place that is looked through by the label alone", () => {
    const facts = analyst.call("Grep", {
      kind: "pattern",
      text: new PrivateText("i-0abc"),
      searches: [new PrivateText("/home/jane/app/.swamp/data")],
    });
    expect(facts).toMatchObject({
      text: "i-0abc",
      label: "bypass",
      category: "swampdata.read",
    });
    expect(facts.why).toBeUndefined();
    expect(facts.reads).toBeUndefined();
  });

  it("are cut after redaction, and say so", () => {
    const facts = analyst.call(
      "Bash",
      shell("echo " + "x".repeat(TEXT_LIMIT - 20) + ` ${token} end`),
    );
    expect(facts.text.length).toBeLessThanOrEqual(TEXT_LIMIT);
    expect(facts.truncated).toBe(true);
    expect(facts.text).not.toContain("ghp_");
  });

  it("hold nothing of what may be half a secret where a huge command was not read whole", () => {
    const block = [
      "-----BEGIN PRIVATE",
      " KEY-----\n",
      "A".repeat(63_000),
      "\n-----END PRIVATE",
      " KEY-----\n",
    ].join("");
    const facts = analyst.call(
      "Bash",
      shell(
        `cat <<E\n${block}\n${"y ".repeat(1100)}${token}${"z".repeat(9000)}`,
      ),
    );
    expect(facts.truncated).toBe(true);
    expect(facts.text).not.toContain("ghp_a1B2");
  });

  it("show paths relative to the repository, and note what was written", () => {
    const path = () => new PrivateText("/home/jane/app/src/a.ts");
    expect(
      analyst.call("Edit", { kind: "path", text: path(), writes: [path()] }),
    ).toMatchObject({ text: "src/a.ts", writes: ["src/a.ts"] });
    const other = new PrivateText("/home/jane/notes.md");
    expect(analyst.call("Read", { kind: "path", text: other }).text).toBe(
      "~/notes.md",
    );
  });

  it("tell a test run, and whether its exit code is the runner's own", () => {
    expect(analyst.call("Bash", shell("npx vitest run"))).toMatchObject({
      test: "vitest",
      testExit: "all",
    });
    const piped = analyst.call("Bash", shell("npx vitest run | tail -5"));
    expect(piped.test).toBe("vitest");
    expect(piped.testExit).toBeUndefined();
    expect(analyst.call("Bash", shell("echo 'npm test'")).test)
      .toBeUndefined();
  });

  it("are the same when a call is repeated, and each call has its own", () => {
    const one = analyst.call("Bash", shell("git status"));
    const two = analyst.call("Bash", shell("git status"));
    expect(two).toEqual(one);
    expect(two).not.toBe(one);
  });

  it("are found for any text, bounded, and never thrown over", () => {
    fc.assert(fc.property(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.constantFrom("shell", "path", "pattern", "url", "agent", "other"),
      fc.constantFrom("posix", "powershell", "cmd", undefined),
      (text, kind, dialect) => {
        const facts = analyst.call("Tool", {
          kind: kind as CallInput["kind"],
          text: new PrivateText(text),
          ...(dialect ? { dialect: dialect as "posix" } : {}),
        });
        expect(facts.text.length).toBeLessThanOrEqual(TEXT_LIMIT);
        if (facts.why) {
          const [start, end] = facts.why;
          expect(start).toBeLessThan(end);
          expect(end).toBeLessThanOrEqual(facts.text.length);
        }
      },
    ));
  });
});
