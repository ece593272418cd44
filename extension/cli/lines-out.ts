/**
 * Many short lines to an output, in few writes and with its pace.
 *
 * @module
 */
import type { Output } from "./io.ts";

const BLOCK = 64 * 1024;

/** Collects lines and writes them in blocks. */
export class LineWriter {
  private pending: string[] = [];
  private size = 0;

  /** Writes to `output`. */
  constructor(private readonly output: Output) {}

  /** Adds a line; waits where the reader is slower. */
  async line(text: string): Promise<void> {
    this.pending.push(text, "\n");
    this.size += text.length + 1;
    if (this.size >= BLOCK) await this.flush();
  }

  /** Writes what is left. */
  async flush(): Promise<void> {
    const text = this.pending.join("");
    this.pending = [];
    this.size = 0;
    await this.output.write(text);
  }
}
