/**
 * What benchmarks of the page measure with: when an answer came and when its
 * first row was painted, long tasks, and the processor time of the page's
 * thread, which a busy machine changes least.
 */
import type { CDPSession, Page } from "@playwright/test";

/** What is noted inside the page. */
export interface Probe {
  cameAt?: number;
  chars?: number;
  paintedAt?: number;
  longest: number;
}
/** The page's own globals, with the notes. */
export type Probed = typeof globalThis & { probe: Probe };

/** Runs in the page before anything else: notes the first large answer, and the first row after it. */
export function watch({ row, chars }: {
  /** Selects a row. */
  row: string;
  /** An answer of fewer characters is another one. */
  chars: number;
}): void {
  const probe: Probe = { longest: 0 };
  (globalThis as Probed).probe = probe;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      probe.longest = Math.max(probe.longest, duration);
    }
  }).observe({ entryTypes: ["longtask"] });
  const Native = WebSocket;
  globalThis.WebSocket = class extends Native {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      this.addEventListener("message", (event: MessageEvent<string>) => {
        if (event.data.length < chars || probe.cameAt !== undefined) return;
        probe.cameAt = performance.now();
        probe.chars = event.data.length;
        const seen = new MutationObserver(() => {
          if (!document.querySelector(row)) return;
          seen.disconnect();
          requestAnimationFrame(() =>
            setTimeout(() => {
              probe.paintedAt = performance.now();
            })
          );
        });
        seen.observe(document.body, { childList: true, subtree: true });
      });
    }
  };
}

/** The notes. */
export const probeOf = (page: Page): Promise<Probe> =>
  page.evaluate(() => (globalThis as Probed).probe);

/** Processor milliseconds that the page's thread has spent so far. */
export async function spent(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send("Performance.getMetrics");
  return (metrics.find((m) => m.name === "TaskDuration")?.value ?? 0) * 1000;
}

/** What something cost. */
export interface Cost {
  /** From the act to the paint after it, milliseconds. */
  wall: number;
  /** Processor time of the page's thread, milliseconds. */
  cpu: number;
}
