import { describe, expect, it } from "vitest";
import { readRecord, safeId, SCHEMA_VERSION } from "./mod.ts";

describe("reading a record", () => {
  it("of a newer version says what to do and never guesses", () => {
    const read = readRecord("summary", { schemaVersion: SCHEMA_VERSION + 1 });
    expect(read).toMatchObject({ ok: false, reason: "newer" });
    expect(!read.ok && read.message).toMatch(/update, or import again/);
  });

  it("that is none says what is missing", () => {
    for (const value of [null, 1, "x", [], {}, { schemaVersion: "1" }]) {
      expect(readRecord("detail", value)).toMatchObject({
        ok: false,
        reason: "invalid",
      });
    }
    expect(readRecord("detail", { schemaVersion: 1 })).toMatchObject({
      ok: false,
      message: "not a detail: session is missing",
    });
    expect(readRecord("rollup", { schemaVersion: 0, day: "x", sessions: 1 }))
      .toMatchObject({ ok: false, reason: "invalid" });
  });

  it("of the current version gives it back as it is", () => {
    const rollup = { schemaVersion: 1, day: "2026-01-01", sessions: 3 };
    expect(readRecord("rollup", rollup)).toEqual({ ok: true, value: rollup });
  });
});

describe("a safe id", () => {
  it("keeps what is safe already", () => {
    for (const id of ["0a1b", "agent-7f", "a.b_c-d", crypto.randomUUID()]) {
      expect(safeId(id)).toBe(id);
    }
  });

  it("can never leave a folder or hide in it", () => {
    for (
      const id of [
        "",
        ".",
        "..",
        "../x",
        "a/b",
        "a\\b",
        "a..b",
        "a\0b",
        "latest",
        "x".repeat(300),
        " ",
        ".git",
        "-rf",
        "a.",
        "\u202Eabc",
        "C:x",
      ]
    ) {
      const safe = safeId(id);
      expect(safe).toMatch(/^[A-Za-z0-9][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*$/);
      expect(safe).not.toBe("latest");
      expect(safe.length).toBeLessThanOrEqual(200);
      expect(safeId(safe)).toBe(safe);
    }
  });

  it("is another for another id", () => {
    expect(safeId("a/b")).not.toBe(safeId("a\\b"));
  });
});
