/**
 * One line of progress on a terminal, rewritten in place; nothing elsewhere.
 *
 * @module
 */
import { bytes, count, duration, plural } from "./format.ts";
import type { Io } from "./io.ts";
import { fit } from "./terminal.ts";

/** How far a run is. */
export interface Progress {
  /** Sessions done. */
  sessions: number;
  /** Sessions in all; 0 where not known. */
  totalSessions: number;
  /** Bytes read. */
  bytes: number;
  /** Bytes in all; 0 where not known. */
  totalBytes: number;
}

/** Redrawn at most this often. */
const EVERY_MS = 100;
/** Before that, no time left is guessed. */
const GUESS_AFTER_MS = 1500;

/** The line of text for a state of a run that began `ms` ago. */
export function progressText(p: Progress, ms: number): string {
  if (p.totalSessions === 0) {
    return `${plural(p.sessions, "session")} · ${bytes(p.bytes)}`;
  }
  const parts = [`${count(p.sessions)} of ${count(p.totalSessions)} sessions`];
  if (p.totalBytes > 0) {
    parts.push(`${bytes(p.bytes)} of ${bytes(p.totalBytes)}`);
    const perMs = p.bytes / Math.max(ms, 1);
    if (ms >= GUESS_AFTER_MS && perMs > 0) {
      parts.push(`${bytes(perMs * 1000)}/s`);
      const left = Math.max(0, p.totalBytes - p.bytes) / perMs;
      if (left >= 1000) parts.push(`${duration(left)} left`);
    }
  }
  return parts.join(" · ");
}

/** Draws progress on stderr. */
export class ProgressLine {
  private readonly start: number;
  private drawnAt = -Infinity;
  private shown = false;

  /** Draws where `stderr` is a terminal and `quiet` is not set. */
  constructor(
    private readonly io: Io,
    private readonly label: string,
    private readonly quiet = false,
  ) {
    this.start = io.now();
  }

  private get on(): boolean {
    return this.io.stderr.isTTY && !this.quiet && this.io.env.TERM !== "dumb";
  }

  /** Shows a state, unless one was shown a moment ago. */
  update(progress: Progress): void {
    const now = this.io.now();
    if (!this.on || now - this.drawnAt < EVERY_MS) return;
    this.drawnAt = now;
    this.draw(`${this.label} ${progressText(progress, now - this.start)}`);
  }

  /** Shows a text in place of figures. */
  say(text: string): void {
    if (this.on) this.draw(text);
  }

  /** Takes the line away, so that other text can be written. */
  clear(): void {
    if (!this.shown) return;
    this.shown = false;
    void this.io.stderr.write("\r\u001b[2K");
  }

  private draw(text: string): void {
    this.shown = true;
    // One column stays free: a full last one wraps on some terminals.
    void this.io.stderr.write(
      `\r\u001b[2K${fit(text, this.io.stderr.columns - 1)}`,
    );
  }
}
