import { describe, expect, it, test } from "vitest";
import { bytes, count, duration, percent, plural, short } from "./format.ts";
import { progressText } from "./progress.ts";

describe("figures for people", () => {
  it.each([
    [0, "0ms"],
    [340, "340ms"],
    [4200, "4.2s"],
    [9960, "10s"],
    [59_600, "1m 00s"],
    [185_000, "3m 05s"],
    [8_040_000, "2h 14m"],
    [273_600_000, "3d 4h"],
  ])("%d ms is %s", (ms, text) => expect(duration(ms)).toBe(text));

  it.each([
    [12, "12 B"],
    [999, "999 B"],
    [1000, "1.0 kB"],
    [3_420_000, "3.4 MB"],
    [999_900_000, "1.0 GB"],
  ])("%d bytes is %s", (n, text) => expect(bytes(n)).toBe(text));

  it.each([
    [980, "980"],
    [1234, "1.2k"],
    [37_400, "37k"],
    [999_600, "1.0M"],
    [12_300_000, "12M"],
  ])("%d tokens is %s", (n, text) => expect(short(n)).toBe(text));

  test("thousands are set apart, one is singular", () => {
    expect(count(1234567)).toBe("1,234,567");
    expect(plural(1, "session")).toBe("1 session");
    expect(plural(2000, "session")).toBe("2,000 sessions");
  });

  test("a share of nothing is nothing", () => {
    expect(percent(0, 0)).toBe("0 %");
    expect(percent(1, 250)).toBe("0.4 %");
    expect(percent(1, 2)).toBe("50 %");
  });
});

describe("progress", () => {
  const half = {
    sessions: 50,
    totalSessions: 100,
    bytes: 1e9,
    totalBytes: 2e9,
  };
  test("says sessions, bytes, rate and time left", () => {
    expect(progressText(half, 5000)).toBe(
      "50 of 100 sessions · 1.0 GB of 2.0 GB · 200 MB/s · 5.0s left",
    );
  });
  test("guesses nothing in the first moment", () => {
    expect(progressText(half, 500)).toBe(
      "50 of 100 sessions · 1.0 GB of 2.0 GB",
    );
  });
});
