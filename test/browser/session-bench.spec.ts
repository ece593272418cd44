/**
 * A session of 1,100 calls with 30 subagents: from its answer to its first
 * row painted, beside a plain table of the same calls in the same run.
 */
import { expect, test } from "@playwright/test";
import { type Probed, probeOf, spent, watch } from "./bench-probe.ts";
import { serve } from "./serve.ts";
import { bigStory, stored } from "./session-story.ts";

const FIRST_PAINT_MS = 300;
/** The answer comes this late: the page's own start is not in the figures. */
const LATE_MS = 1_500;
const ROUNDS = 3;

test("1,100 calls with 30 subagents: first paint", async ({ browser }) => {
  test.setTimeout(180_000);
  const big = bigStory();
  const server = await serve({ items: stored(big) }, { delayMs: LATE_MS });
  const calls = [big.session, ...big.subagents].flatMap((s) =>
    s.turns.flatMap((t) => t.calls)
  );
  const found: { wall: number; cpu: number; plain: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const page = await browser.newPage({ reducedMotion: "reduce" });
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
    await page.addInitScript(watch, { row: ".as-row", chars: 100_000 });
    await page.goto(`${server.url}#view=session&id=big`);
    await expect(page.locator(".as-call-bones")).toBeVisible();
    const idle = await spent(cdp);
    await page.waitForFunction(
      () => (globalThis as Probed).probe.paintedAt !== undefined,
      null,
      { timeout: 60_000 },
    );
    const cpu = await spent(cdp) - idle;
    const { cameAt = 0, paintedAt = 0 } = await probeOf(page);

    await page.goto("about:blank");
    const before = await spent(cdp);
    await page.evaluate(async (calls) => {
      const table = document.createElement("table");
      for (const call of calls) {
        const tr = table.insertRow();
        for (const value of Object.values(call)) {
          tr.insertCell().textContent = String(value);
        }
      }
      document.body.replaceChildren(table);
      await new Promise((painted) =>
        requestAnimationFrame(() => setTimeout(painted))
      );
    }, calls);
    const plain = await spent(cdp) - before;
    found.push({ wall: paintedAt - cameAt, cpu, plain });
    await page.context().close();
  }
  await server.close();
  found.sort((a, b) => a.cpu - b.cpu);
  const middle = found[ROUNDS >> 1]!;
  console.log(
    `1,100 calls: first paint ${middle.wall.toFixed(0)} ms, ${
      middle.cpu.toFixed(0)
    } ms of processor, ${
      (middle.cpu / middle.plain).toFixed(2)
    } of a plain table's ${middle.plain.toFixed(0)} ms`,
  );
  expect(Math.min(middle.cpu, middle.wall)).toBeLessThan(FIRST_PAINT_MS);
});
