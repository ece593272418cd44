/**
 * Rows of `list` for people.
 *
 * @module
 */
import type { Summary, Tier } from "../../schema/mod.ts";
import { paintLabel } from "./explain.ts";
import { count, duration, localTime, short } from "./format.ts";
import { clean, type Colors, Grid } from "./terminal.ts";

/** Characters of an id that a list shows. */
const ID = 8;

/** The grid of a list in `room` columns. */
export function listGrid(room: number, colors: Colors): Grid<Summary> {
  const zeroDim = (paint: (text: string) => string) => (text: string) =>
    text.trim() === "0" || text.trim() === "" ? colors.dim(text) : paint(text);
  return new Grid<Summary>(
    [
      { title: "id", width: ID, text: (s) => clean(s.id.slice(0, ID)) },
      {
        title: "started",
        width: 10,
        drop: 0.8,
        text: (s) => localTime(s.startedAt).slice(0, 10),
      },
      {
        title: "",
        width: 5,
        drop: 8,
        text: (s) => localTime(s.startedAt).slice(11),
      },
      {
        title: "repo",
        width: 12,
        grows: 28,
        text: (s) => clean(s.repo.name),
        paint: (text) => colors.bold(text),
      },
      {
        title: "branch",
        width: 10,
        grows: 30,
        drop: 6,
        text: (s) => clean(s.branch ?? ""),
      },
      {
        title: "agent",
        width: 7,
        drop: 0.9,
        text: (s) => clean(s.harness.name),
      },
      {
        title: "mode",
        width: 11,
        drop: 7,
        text: (s) => s.mode === "unknown" ? "" : s.mode,
      },
      {
        title: "active",
        width: 7,
        right: true,
        drop: 3,
        text: (s) => duration(s.activeMs),
      },
      {
        title: "turns",
        width: 5,
        right: true,
        drop: 4,
        text: (s) => count(s.turns),
      },
      {
        title: "calls",
        width: 5,
        right: true,
        drop: 0.6,
        text: (s) => count(s.calls),
      },
      {
        title: "swamp",
        width: 5,
        right: true,
        drop: 0.7,
        text: (s) => count(s.labels.swamp),
        paint: zeroDim((text) => paintLabel("swamp", text, colors)),
      },
      {
        title: "bypass",
        width: 6,
        right: true,
        drop: 0.5,
        text: (s) => count(s.labels.bypass),
        paint: zeroDim((text) => paintLabel("bypass", text, colors)),
      },
      {
        title: "failed",
        width: 6,
        right: true,
        drop: 1,
        text: (s) => count(s.failedCalls),
        paint: zeroDim(colors.red),
      },
      {
        title: "agents",
        width: 6,
        right: true,
        drop: 5,
        text: (s) => s.subagents.count > 0 ? count(s.subagents.count) : "",
      },
      {
        title: "out",
        width: 5,
        right: true,
        drop: 2,
        text: (s) => short(s.tokens.output),
      },
      {
        title: "score",
        width: 5,
        right: true,
        drop: 5,
        text: (s) => String(s.substance.score),
      },
      {
        title: "substance",
        width: 11,
        text: (s) => s.substance.tier,
        paint: (text, s) => paintTier(s.substance.tier, text, colors),
      },
    ],
    room,
    colors,
  );
}

function paintTier(tier: Tier, text: string, colors: Colors): string {
  switch (tier) {
    case "trivial":
      return colors.dim(text);
    case "substantive":
    case "heavy":
      return colors.bold(text);
    default:
      return text;
  }
}
