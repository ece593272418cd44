/**
 * How a test looks at the page: one server a file, a page as a person would
 * open it, and no complaint of the browser's overlooked.
 */
import { createRequire } from "node:module";
import { type Browser, expect, type Page, test } from "@playwright/test";
import type { Manner, StoredItem } from "./demo-server.ts";
import { serve, type Served } from "./serve.ts";

/** axe, as a file that a page can load. */
const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** How to look. */
export interface Look {
  /** What is stored; else what the file's tests all look at. */
  items?: readonly StoredItem[] | undefined;
  /** The page's state; else the file's usual one. */
  hash?: string | undefined;
  /** Added to the state. */
  at?: string;
  manner?: Manner | undefined;
  width?: number;
  height?: number;
  dark?: boolean;
  /** Lets a test put axe into the page. */
  loose?: boolean;
  /** Prepares the page before it opens. */
  before?: (page: Page) => Promise<void>;
}

/** What `looking` gives. */
export interface Looking {
  /** Opens the page. */
  open(browser: Browser, how?: Look): Promise<Page>;
  /** The server; there from the first test on. */
  server(): Served;
  /** What the browser complained about in this test; it fails for any left. */
  complaints: string[];
}

/** Sets up a file's tests; call it at its top. */
export function looking(
  items: readonly StoredItem[],
  usual: {
    hash?: string;
    /** The clock stands here, epoch milliseconds. */
    now?: number;
  } = {},
): Looking {
  // The longest of a file's tests shall not wait for its others.
  test.describe.configure({ mode: "parallel" });
  let server: Served;
  const complaints: string[] = [];
  test.beforeAll(async () => {
    server = await serve({ items: [...items] });
  });
  test.afterAll(() => server.close());
  test.beforeEach(() => {
    complaints.length = 0;
  });
  test.afterEach(() => {
    expect(complaints).toEqual([]);
  });
  return {
    server: () => server,
    complaints,
    async open(browser, how = {}) {
      server.answer({ items: [...how.items ?? items] }, how.manner);
      const context = await browser.newContext({
        viewport: { width: how.width ?? 1440, height: how.height ?? 900 },
        colorScheme: how.dark ? "dark" : "light",
        timezoneId: "UTC",
        bypassCSP: how.loose ?? false,
        permissions: ["clipboard-read", "clipboard-write"],
      });
      const page = await context.newPage();
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("console", (message) => {
        if (message.type() === "error") complaints.push(message.text());
      });
      if (usual.now !== undefined) await page.clock.setFixedTime(usual.now);
      await how.before?.(page);
      const hash = `${how.hash ?? usual.hash ?? ""}${how.at ?? ""}`;
      await page.goto(server.url + (hash ? `#${hash}` : ""));
      return page;
    },
  };
}

/** Holds back every detail until `go` is called; for `Look.before`. */
export function heldDetail(): {
  before(page: Page): Promise<void>;
  go(): void;
} {
  let go = () => {};
  const free = new Promise<void>((resolve) => {
    go = resolve;
  });
  return {
    before: (page) =>
      page.routeWebSocket(/.*/, (socket) => {
        const server = socket.connectToServer();
        socket.onMessage(async (frame) => {
          if (String(frame).includes('"data.get"')) await free;
          server.send(frame);
        });
      }),
    go: () => go(),
  };
}

/** Violations of WCAG or of best practice in the page as it stands. */
export async function violations(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: AXE });
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(options: unknown): Promise<{
          violations: {
            id: string;
            nodes: { html: string; failureSummary?: string }[];
          }[];
        }>;
      };
    };
    const { violations } = await axe.run({
      runOnly: [
        "wcag2a",
        "wcag2aa",
        "wcag21a",
        "wcag21aa",
        "wcag22aa",
        "best-practice",
      ],
    });
    return violations.map((v) =>
      `${v.id}: ${v.nodes[0]?.html.slice(0, 200)} ${
        v.nodes[0]?.failureSummary ?? ""
      }`
    );
  });
}

/** No such violation. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([]);
}
