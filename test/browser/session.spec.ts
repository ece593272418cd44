import { readFile } from "node:fs/promises";
import { expect, type Page, test } from "@playwright/test";
import { looking } from "./looking.ts";
import { BETTER, bigStory, stored, STORY } from "./session-story.ts";

const items = [
  ...stored(BETTER, { startedAt: "2026-10-13T07:00:00.000Z" }),
  ...stored(STORY, {
    source: {
      fingerprint: "f",
      files: 3,
      badLines: 2,
      unknownRecords: 14,
      importer: "0",
      ruleset: "0",
    },
    flags: ["damaged", "drift", "compacted", "truncated"],
  }),
];

const { open } = looking(items, {
  hash: "view=session&id=story",
});
const row = (page: Page, id: string) =>
  page.locator(`.as-row-call[data-call="${id}"]`);
const turnRow = (page: Page, n: number) =>
  page.locator(".as-row-turn", {
    has: page.getByRole("button", { name: `Turn ${n}`, exact: true }),
  });
const ready = (page: Page) => expect(turnRow(page, 1)).toBeVisible();

test.describe("a session", () => {
  test("opens from the list with its figures, findings and receipts", async ({ browser }) => {
    const page = await open(browser, { hash: "fold=0" });
    await page.locator('[data-id="story"] a').click();
    await ready(page);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(
      "shop / fix/checkout",
    );
    const receipt = page.locator(".as-receipt");
    await expect(receipt).toContainText("Calls26");
    await expect(receipt).toContainText("S 1");
    await expect(receipt).toContainText("B 3");
    await expect(page.getByRole("button", { name: "2 damaged lines" }))
      .toBeVisible();
    await expect(page.getByRole("button", { name: "1 low confidence" }))
      .toBeVisible();
    await expect(page.locator(".as-find li")).toHaveCount(2);
    // Closed: nothing in it wants a look. The others: something failed.
    await expect(turnRow(page, 1).getByRole("button")).toHaveAttribute(
      "aria-expanded",
      "false",
    );
    await expect(turnRow(page, 2).getByRole("button")).toHaveAttribute(
      "aria-expanded",
      "true",
    );
    await expect(page.getByText("idle 35 min")).toBeVisible();
    await expect(page.getByText("context compacted")).toBeVisible();
    await page.context().close();
  });

  test("shows subagents in place, at any depth, and rolls failures up hollow when closed", async ({ browser }) => {
    const page = await open(browser, { at: "&call=i1" });
    await expect(row(page, "i1")).toBeVisible();
    await expect(row(page, "i1").locator("[role=cell]").first()).toBeVisible();
    const left = async (id: string) =>
      (await row(page, id).locator(".as-call-s").boundingBox())?.x ?? 0;
    expect(await left("o1")).toBe(await left("asks") + 20);
    expect(await left("i1")).toBe(await left("asks") + 40);
    const right = async (id: string) =>
      (await row(page, id).locator(".as-call-d").boundingBox())?.x ?? 0;
    expect(await right("i1")).toBe(await right("asks"));
    await expect(row(page, "asks").locator(".as-mk-i")).toHaveText(
      /1 failed inside/,
    );
    await row(page, "asks").getByRole("button", { name: /^Subagent Explore/ })
      .click();
    await expect(row(page, "i1")).toHaveCount(0);
    await expect(row(page, "asks").locator(".as-mk-i")).toHaveText(
      /1 failed inside/,
    );
    await expect(row(page, "asks").locator(".as-mk-b")).toHaveClass(
      /as-hollow/,
    );
    await page.context().close();
  });

  test("says why, with the deciding part marked, by mouse and by key", async ({ browser }) => {
    const page = await open(browser, { at: "&call=breaks" });
    const label = row(page, "breaks").getByRole("button", { name: /Why\?$/ });
    await label.click();
    const why = page.getByRole("dialog", { name: "Why this label" });
    await expect(why).toContainText("Went around swamp, and changed something");
    await expect(why).toContainText("k8s.kubectl");
    await expect(why).toContainText("@acme/eks-cluster");
    await expect(why.locator("mark")).toHaveText("kubectl scal");
    await page.keyboard.press("Escape");
    await expect(why).toHaveCount(0);
    await expect(label).toBeFocused();
    await page.keyboard.press("l");
    await expect(why).toBeVisible();
    await label.click();
    await expect(why).toHaveCount(0);
    await page.context().close();
  });

  test("names redactions by their rule, and says what was cut", async ({ browser }) => {
    const page = await open(browser);
    await ready(page);
    await expect(row(page, "secret").locator(".as-rx")).toHaveText(
      /http\.auth/,
    );
    await expect(row(page, "secret")).toContainText("cut at 2 KB");
    await page.getByRole("button", { name: "1 redacted" }).click();
    await expect(page.getByRole("dialog")).toContainText(
      "before anything was stored",
    );
    await page.context().close();
  });

  test("filters with counts, and shows all again", async ({ browser }) => {
    const page = await open(browser);
    await ready(page);
    await page.getByRole("button", { name: "B 3 bypasses" }).click();
    await expect(page.getByRole("status").filter({ hasText: "3 of 26 calls" }))
      .toBeVisible();
    await expect(turnRow(page, 1)).toHaveCount(0);
    await expect(page.locator(".as-row-call")).toHaveCount(4); // and the call that leads there
    await expect(page).toHaveURL(/show=bypass/);
    await page.getByRole("button", { name: "Show all" }).click();
    await expect(turnRow(page, 1)).toBeVisible();
    await page.context().close();
  });

  test("filters by dragging over the lanes, and by a click on a turn's number", async ({ browser }) => {
    const page = await open(browser);
    await ready(page);
    const track = page.getByRole("img", { name: /^The whole session/ });
    const box = (await track.boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.9, box.y + 22);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 1, box.y + 22, { steps: 4 });
    await page.mouse.up();
    await expect(page.getByText(/\d+ of 26 calls between/)).toBeVisible();
    await expect(row(page, "last")).toBeVisible();
    await expect(turnRow(page, 2)).toHaveCount(0);
    await page.keyboard.press("Escape");
    await expect(turnRow(page, 2)).toBeVisible();
    await page.mouse.click(box.x + 6, box.y + 6);
    await expect(row(page, "quiet-0")).toBeVisible();
    await expect(turnRow(page, 2)).toHaveCount(0);
    await page.context().close();
  });

  test("switches to the clock of each turn, and keeps it in the address", async ({ browser }) => {
    const page = await open(browser);
    await ready(page);
    await page.keyboard.press("w");
    await expect(page).toHaveURL(/bars=wall/);
    await expect(page.getByText("end of turn")).toBeVisible();
    const bar = row(page, "secret").locator(".as-call-bar i");
    const track =
      (await row(page, "secret").locator(".as-call-bar").boundingBox())!;
    const at = (await bar.boundingBox())!;
    expect((at.x - track.x) / track.width).toBeCloseTo(10 / 60, 1);
    await page.context().close();
  });

  test("a finding marks its calls, a chip goes there, back and forward follow", async ({ browser }) => {
    const page = await open(browser);
    await ready(page);
    await page.locator(".as-find li").first().getByRole("button", {
      name: /go to call 16/,
    }).click();
    await expect(row(page, "breaks")).toHaveClass(/as-cur/);
    await expect(row(page, "breaks")).toHaveClass(/as-hit/);
    await expect(page).toHaveURL(/call=breaks/);
    await page.locator(".as-find li").nth(1).getByRole("button", {
      name: /go to call/,
    }).click();
    await expect(row(page, "i1")).toHaveClass(/as-cur/);
    await page.goBack();
    await expect(row(page, "breaks")).toHaveClass(/as-cur/);
    await page.goForward();
    await expect(row(page, "i1")).toHaveClass(/as-cur/);
    await page.context().close();
  });

  test("a link to a call opens all that hides it", async ({ browser }) => {
    const page = await open(browser, { at: "&call=quiet-9" });
    await expect(row(page, "quiet-9")).toHaveClass(/as-cur/);
    await expect(row(page, "quiet-9").locator(".as-x")).toBeFocused();
    const other = await open(browser, { at: "&turn=4" });
    await expect(row(other, "last")).toBeVisible();
    await expect(turnRow(other, 4).getByRole("button")).toBeFocused();
    await other.context().close();
    await page.context().close();
  });

  test("shows files, tests, tools and tokens, each leading to its calls", async ({ browser }) => {
    const page = await open(browser);
    await ready(page);
    await page.getByRole("link", { name: /^Files/ }).click();
    await expect(page).toHaveURL(/tab=files/);
    await page.getByRole("button", { name: "#26, go to call 26" }).click();
    await expect(row(page, "last")).toHaveClass(/as-cur/);
    await page.getByRole("link", { name: /^Tests/ }).click();
    await expect(page.locator(".as-pane")).toContainText("failed");
    await page.getByRole("link", { name: /^Tools/ }).click();
    await expect(page.locator(".as-pane")).toContainText("Read14");
    await page.getByRole("link", { name: "Tokens" }).click();
    await expect(page.locator(".as-pane")).toContainText("Context of 200k");
    await expect(page.locator(".as-pane")).toContainText("60k");
    await page.context().close();
  });

  test("exports the stored item as JSON, and a report as Markdown", async ({ browser }) => {
    const page = await open(browser);
    await ready(page);
    const saved = async (name: RegExp) => {
      await page.getByRole("button", { name: "Export" }).click();
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name }).click();
      const file = await download;
      return [
        file.suggestedFilename(),
        await readFile(await file.path(), "utf8"),
      ] as const;
    };
    const [name, json] = await saved(/JSON/);
    expect(name).toBe("agent-session-story.json");
    expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(STORY)));
    const [, report] = await saved(/Markdown/);
    expect(report).toContain("# Agent session: shop / fix/checkout");
    expect(report).toContain("#26");
    await page.context().close();
  });
});

test.describe("the keyboard alone", () => {
  test("finds the first failed bypass of the worst session and copies its link", async ({ browser }) => {
    const page = await open(browser, { hash: "fold=0" });
    await expect(page.locator('[data-id="story"]')).toBeVisible();
    // The worst session: the list sorted by failures.
    for (let i = 0; i < 80; i++) {
      await page.keyboard.press("Tab");
      const name = await page.evaluate(() =>
        document.activeElement?.textContent
      );
      if (name?.startsWith("Failed")) break;
    }
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/sort=-?failed/);
    if (!/sort=-failed/.test(page.url())) await page.keyboard.press("Enter");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await ready(page);
    const current = page.locator(".as-row.as-cur");
    for (let i = 0; i < 10; i++) {
      await page.keyboard.press("e");
      await expect(current).toHaveCount(1);
      if (await current.locator(".as-lab.as-b, .as-lab.as-m").count()) break;
    }
    await expect(current).toHaveAttribute("data-call", "breaks");
    await page.keyboard.press("Y");
    await expect(page.getByText("Link copied")).toBeVisible();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    await page.goto("about:blank");
    await page.goto(link);
    await expect(row(page, "breaks")).toHaveClass(/as-cur/);
    await page.context().close();
  });

  test("walks calls, turns, bypasses and findings, opens and closes, and says where there is no more", async ({ browser }) => {
    const page = await open(browser);
    await ready(page);
    const current = page.locator(".as-row.as-cur");
    const at = (id: string) => expect(current).toHaveAttribute("data-call", id);
    await page.keyboard.press("j"); // a closed turn is a stop
    await expect(turnRow(page, 1)).toHaveClass(/as-cur/);
    await page.keyboard.press("Enter");
    await page.keyboard.press("j");
    await at("quiet-0");
    await page.keyboard.press("b");
    await at("looks");
    await page.keyboard.press("b");
    await at("breaks");
    await page.keyboard.press("b");
    await at("o1");
    await page.keyboard.press("b");
    await expect(page.getByText("No bypass further on")).toBeVisible();
    await page.keyboard.press("B");
    await at("breaks");
    await page.keyboard.press("Enter");
    await expect(page.locator('.as-row-detail[data-call="breaks"]'))
      .toContainText("exit 1");
    await page.keyboard.press("y");
    await expect(page.getByText("Command copied")).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      "kubectl scale deploy/shop --replicas=9",
    );
    await page.keyboard.press("K");
    await expect(turnRow(page, 1)).toHaveClass(/as-cur/);
    await page.keyboard.press("n");
    await at("breaks");
    await page.keyboard.press("n");
    await at("i1");
    await page.keyboard.press("Escape");
    await expect(page.locator(".as-find .as-on")).toHaveCount(0);
    await page.keyboard.press("f"); // only this turn's time
    await expect(turnRow(page, 2)).toHaveCount(0);
    await page.keyboard.press("f");
    await expect(turnRow(page, 2)).toBeVisible();
    await page.keyboard.press("o");
    await page.keyboard.press("o");
    await expect(page.locator(".as-row-call")).toHaveCount(0);
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog")).toContainText(
      "Next / previous bypass",
    );
    await page.keyboard.press("Escape");
    await page.keyboard.press("u");
    await expect(page.getByRole("heading", { name: "Agent Sessions" }))
      .toBeVisible();
    await page.context().close();
  });

  test("goes to the session before and after in the list", async ({ browser }) => {
    const page = await open(browser, { hash: "fold=0" });
    await page.locator('[data-id="story"] a').click();
    await ready(page);
    await page.keyboard.press("[");
    await expect(page.getByText("No session before this in the list"))
      .toBeVisible();
    await page.keyboard.press("]");
    await expect(page).toHaveURL(/id=better/);
    await ready(page);
    await page.keyboard.press("[");
    await expect(page).toHaveURL(/id=story/);
    await page.context().close();
  });
});

test.describe("a big session", () => {
  const big = bigStory();
  test("of 1,100 calls and 30 subagents never builds all rows", async ({ browser }) => {
    const page = await open(browser, {
      items: stored(big),
      hash: "view=session&id=big",
    });
    await ready(page);
    await expect(page.locator(".as-receipt")).toContainText("1,100");
    const table = page.getByRole("table", { name: "Calls by turn" });
    const rows = Number(await table.getAttribute("aria-rowcount"));
    expect(rows).toBeGreaterThan(1100);
    expect(await page.locator(".as-row").count()).toBeLessThan(80);
    await page.locator("main").evaluate((el) => {
      const box = [el, ...el.querySelectorAll("*")].find((e) =>
        e.scrollHeight > e.clientHeight + 5_000
      );
      (box ?? document.scrollingElement!).scrollTop = 1e9;
    });
    await expect(row(page, "t19-24")).toBeVisible();
    expect(await page.locator(".as-row").count()).toBeLessThan(80);
    await page.keyboard.press("e");
    await expect(page.locator(".as-row.as-cur")).toBeInViewport();
    await page.context().close();
  });
});
