import { expect, type Page, test } from "@playwright/test";
import { RequestError } from "../../dashboard-page/client/request.ts";
import { demoData } from "./demo-data.ts";
import { expectAccessible, heldDetail, type Look, looking } from "./looking.ts";
import { bigStory, stored, STORY } from "./session-story.ts";

const items = stored(STORY);

const { open, server } = looking(items, {
  hash: "view=session&id=story",
});
const row = (page: Page, id: string) =>
  page.locator(`.as-row-call[data-call="${id}"]`);
const ready = (page: Page) =>
  expect(page.locator(".as-row-turn").first()).toBeVisible();

test.describe("hostile text", () => {
  const data = demoData({ sessions: 1, hostile: true });
  const ids = data.summaries.map((s) => s.id).slice(0, 6);
  for (const width of [1440, 360]) {
    test(`is text and breaks nothing at ${width} px`, async ({ browser }) => {
      for (const id of ids) {
        const page = await open(browser, {
          items: data.items,
          hash: `view=session&id=${encodeURIComponent(id)}`,
          width,
        });
        await expect(page.locator(".as-calls .as-row").first()).toBeVisible();
        expect(await page.title()).not.toContain("owned");
        expect(await page.locator(".as-calls :is(img, script)").count()).toBe(
          0,
        );
        const wider = await page.locator(".as").evaluate((el) => {
          const box = el.closest("main") ?? document.documentElement;
          return box.scrollWidth - box.clientWidth;
        });
        expect(wider).toBeLessThanOrEqual(0);
        await page.context().close();
      }
    });
  }

  test("of a megabyte in one call is cut where it is shown", async ({ browser }) => {
    const text = `<b>${"x ".repeat(500_000)}</b>`;
    const monster = structuredClone(STORY);
    monster.session.turns[1]!.calls[0]!.text = text;
    const page = await open(browser, {
      items: stored(monster),
      at: "&call=looks",
    });
    await row(page, "looks").locator(".as-x").click();
    await expect(page.locator('.as-row-detail[data-call="looks"]'))
      .toContainText(
        "more characters, not shown",
      );
    await page.context().close();
  });
});

test.describe("states", () => {
  const failing = (code: string) =>
    stored(STORY, {}, () => {
      throw new RequestError(code, "because");
    });
  const states: [string, Look, string | RegExp][] = [
    [
      "no access",
      { items: failing("unauthorized") },
      "You can see this session, not open it",
    ],
    [
      "an error",
      { items: failing("timeout") },
      "This session could not be loaded",
    ],
    [
      "a detail that is gone",
      { items: stored(STORY).slice(0, 1) },
      "The summary is there, the detail item is not",
    ],
    ["a newer schema", {
      items: stored(STORY, {}, () => ({ ...STORY, schemaVersion: 2 })),
    }, "Written by a newer importer"],
    [
      "no such session",
      { items, hash: "view=session&id=nobody" },
      "No such session",
    ],
    ["something else in its place", {
      items: stored(STORY, {}, () => "what?"),
    }, "This session cannot be read"],
    ["no calls", {
      items: stored({
        ...STORY,
        session: { ...STORY.session, turns: [], marks: [] },
        subagents: [],
        findings: [],
      }),
    }, "No calls in this session"],
  ];
  for (const [name, how, words] of states) {
    test(`${name} is said, with what to do`, async ({ browser }) => {
      const page = await open(browser, how);
      await expect(page.locator(".as-state")).toContainText(words);
      await page.context().close();
    });
  }

  test("loading shows the figures at once, bones for the rest", async ({ browser }) => {
    const held = heldDetail();
    const page = await open(browser, { before: held.before });
    await expect(page.locator(".as-receipt")).toContainText("Calls26");
    await expect(page.locator(".as-find")).toHaveAttribute("aria-busy", "true");
    await expect(page.locator(".as-find li")).toHaveCount(2);
    held.go();
    await ready(page);
    await page.context().close();
  });

  test("an error can be tried again", async ({ browser }) => {
    const page = await open(browser, { items: failing("timeout") });
    await expect(page.locator(".as-state")).toBeVisible();
    server().answer({ items });
    await page.getByRole("button", { name: "Try again" }).click();
    await ready(page);
    await page.context().close();
  });

  for (const dark of [false, true]) {
    test(`axe finds nothing in any of them, ${dark ? "dark" : "light"}`, async ({ browser }) => {
      test.setTimeout(120_000);
      const looks: (Look & { press?: string })[] = [
        { at: "&call=i1" },
        { at: "&call=breaks", press: "Enter" },
        { at: "&call=breaks", press: "l" },
        { at: "&bars=wall&finding=f1&show=bypass" },
        { at: "&call=i1", width: 420 },
        { at: "&tab=files" },
        { at: "&tab=tests" },
        { at: "&tab=tools" },
        { at: "&tab=tokens" },
        { items: stored(bigStory()), hash: "view=session&id=big" },
        { manner: { silent: true } },
        ...states.map(([, how]) => how),
      ];
      for (const how of looks) {
        const page = await open(browser, { ...how, dark, loose: true });
        await expect(
          page.locator(".as-row, .as-state, .as-pane, .as-call-bones").first(),
        ).toBeVisible();
        if (how.press) await page.keyboard.press(how.press);
        await expectAccessible(page);
        await page.context().close();
      }
    });
  }

  test("nothing scrolls sideways from 360 px to 4K", async ({ browser }) => {
    for (const width of [360, 420, 768, 1024, 1440, 3840]) {
      const page = await open(browser, { width, at: "&call=i1" });
      await expect(row(page, "i1")).toBeVisible();
      const wider = await page.locator(".as").evaluate((el) => {
        const box = el.closest("main") ?? document.documentElement;
        return box.scrollWidth - box.clientWidth;
      });
      expect(wider, `${width} px`).toBeLessThanOrEqual(0);
      await page.context().close();
    }
  });
});
