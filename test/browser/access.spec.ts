/** Seen otherwise: forced colours, low windows, a screen reader's words, pasted addresses. */
import { type Browser, expect, type Page, test } from "@playwright/test";
import { DEMO_NOW, demoData } from "./demo-data.ts";
import { expectAccessible, type Look, looking } from "./looking.ts";
import { BETTER, stored, STORY } from "./session-story.ts";

const demo = demoData({ sessions: 60 });
const items = [...demo.items, ...stored(STORY), ...stored(BETTER)];

const { open } = looking(items, { now: DEMO_NOW });
const SESSION = "view=session&id=story";

const rows = (page: Page) => page.locator("[role=row][data-id]");
const call = (page: Page, id: string) =>
  page.locator(`.as-row-call[data-call="${id}"]`);
const close = (page: Page) => page.context().close();

test("in forced colours the deciding part, the current call and what is pressed can be seen", async ({ browser }) => {
  const page = await open(browser, { hash: `${SESSION}&call=breaks` });
  await page.emulateMedia({ forcedColors: "active", colorScheme: "dark" });
  const style = (selector: string, of: string) =>
    page.locator(selector).first().evaluate(
      (el, of) => getComputedStyle(el).getPropertyValue(of),
      of,
    );
  await expect(call(page, "breaks")).toHaveClass(/as-cur/);
  const canvas = await style("body", "background-color");
  for (const text of [".as-call mark", ".as-call mark .as-t-p"]) {
    expect(await style(text, "color")).not.toBe(canvas);
  }
  expect(await style(".as-cur > .as-call", "outline-style")).toBe("solid");
  const pressed = '.as-seg button[aria-pressed="true"]';
  const other = '.as-seg button[aria-pressed="false"]';
  expect(await style(pressed, "background-color")).not.toBe(
    await style(other, "background-color"),
  );
  expect(await style(".as-lbar .as-fill-b", "background-color")).not.toBe(
    canvas,
  );
  await close(page);
});

for (const [width, height] of [[720, 450], [320, 256]] as const) {
  test(`magnified to ${width} by ${height} px the table can be reached and read`, async ({ browser }) => {
    const page = await open(browser, { width, height });
    await expect(rows(page).first()).toBeAttached();
    await page.keyboard.press("j");
    await expect(rows(page).first().locator("a")).toBeFocused();
    await page.locator(".as-scroll").scrollIntoViewIfNeeded();
    const box = await page.locator(".as-scroll").boundingBox();
    expect(box?.height).toBeGreaterThan(150);
    const wider = await page.locator("main").evaluate((el) =>
      el.scrollWidth - el.clientWidth
    );
    expect(wider).toBeLessThanOrEqual(0);
    await close(page);
  });
}

test("a view that opens takes the focus to its heading, and the list gives it back to the row", async ({ browser }) => {
  const page = await open(browser, { hash: "fold=0" });
  await expect(page.locator('[data-id="story"]')).toBeVisible();
  await page.locator('[data-id="story"] a').focus();
  await page.keyboard.press("Enter");
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText("shop / fix/checkout");
  await expect(heading).toBeFocused();
  await page.keyboard.press("u");
  await expect(page.locator('[data-id="story"] a')).toBeFocused();
  await close(page);
});

test("in two lines, without headers, figures are named for who hears them", async ({ browser }) => {
  const page = await open(browser, { hash: "fold=0&q=story", width: 360 });
  await expect(page.locator('[data-id="story"]')).toHaveAccessibleName(
    /swamp 1 .*bypass 3 failed 2/,
  );
  await close(page);
});

test("filters stay in one line: what has no room goes under More, chosen ones last", async ({ browser }) => {
  const chosen = "repo=billing-api&label=mutating bypass&substance=moderate" +
    "&from=2026-08-01&to=2026-10-14&model=claude-opus-4-7&fold=0";
  const page = await open(browser, { hash: chosen, width: 1180 });
  const bar = page.getByRole("search");
  await expect(bar.getByRole("button", { name: "Labels: mutating bypass" }))
    .toBeVisible();
  expect((await bar.boundingBox())?.height).toBeLessThan(32);
  expect(await bar.evaluate((el) => el.scrollWidth - el.clientWidth)).toBe(0);
  await bar.getByRole("button", { name: /^More/ }).click();
  await expect(page.getByRole("dialog").getByText("Findings").first())
    .toBeVisible();
  await close(page);
});

test.describe("an address pasted into a new tab", () => {
  test("shows precisely its filter, its bars, its finding and its call", async ({ browser }) => {
    const page = await open(browser, {
      hash: `${SESSION}&show=bypass&bars=wall&finding=f1&call=o1`,
    });
    await expect(call(page, "o1")).toHaveClass(/as-cur/);
    await expect(call(page, "o1")).toHaveClass(/as-hit/);
    await expect(page.getByRole("button", { name: "Wall clock" }))
      .toHaveAttribute("aria-pressed", "true");
    await expect(page.getByText("3 of 26 calls")).toBeVisible();
    await close(page);
  });

  test("says that its call is not here, and shows the session", async ({ browser }) => {
    const page = await open(browser, { hash: `${SESSION}&call=nowhere` });
    await expect(
      page.getByText("The call in this address is not in this session"),
    ).toBeVisible();
    await expect(page.locator(".as-row-turn").first()).toBeVisible();
    await page.keyboard.press("]");
    await expect(page.getByText("Not in the list as it stands")).toBeVisible();
    await close(page);
  });

  test("of a session removed meanwhile says so, and leads back to the list", async ({ browser }) => {
    const page = await open(browser, { hash: "fold=0" });
    await expect(page.locator('[data-id="story"]')).toBeVisible();
    const other = await open(browser, { items: demo.items, hash: SESSION });
    await expect(other.getByText("No such session")).toBeVisible();
    // The list that is still open elsewhere meets it too.
    await page.locator('[data-id="story"] a').click();
    await expect(page.getByText("No such session")).toBeVisible();
    await page.getByRole("link", { name: "Back to the list" }).click();
    await expect(rows(page).first()).toBeVisible();
    await close(other);
    await close(page);
  });
});

test.describe("axe finds nothing", () => {
  const told = stored(STORY, {
    flags: ["live", "interrupted", "damaged", "drift", "parentGone", "fork"],
    source: {
      fingerprint: "f",
      files: 1,
      badLines: 2,
      unknownRecords: 3,
      importer: "0",
      ruleset: "0",
    },
  });
  const clean = stored({ ...STORY, findings: [] });
  const looks: (Look & { press?: string })[] = [
    { items: told, hash: SESSION },
    { items: told, hash: SESSION, width: 360 },
    { items: clean, hash: SESSION },
    { items: clean, hash: `${SESSION}&call=nowhere` },
    { items: told, hash: `${SESSION}&call=breaks`, width: 360, press: "Enter" },
    { width: 720, height: 450, press: "x" },
    { width: 320, height: 256 },
    { hash: "view=session&id=nobody", width: 360 },
    { hash: "view=compare&a=story&b=better", width: 768 },
  ];
  const check = async (browser: Browser, dark: boolean) => {
    for (const how of looks) {
      const page = await open(browser, { ...how, dark, loose: true });
      await expect(
        page.locator(".as-row, .as-state, .as-cmp-panel, [data-id]").first(),
      ).toBeAttached();
      if (how.press) await page.keyboard.press("j");
      if (how.press) await page.keyboard.press(how.press);
      await expectAccessible(page);
      await close(page);
    }
  };
  test("in records that do not tell all, at any size, light", ({ browser }) =>
    check(browser, false));
  test("in records that do not tell all, at any size, dark", ({ browser }) =>
    check(browser, true));
});
