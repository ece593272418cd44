import { expect, type Page, test } from "@playwright/test";
import { expectAccessible, type Look, looking } from "./looking.ts";
import { BETTER, bigStory, stored, STORY } from "./session-story.ts";

const items = [...stored(STORY), ...stored(BETTER), ...stored(bigStory())];

const { open } = looking(items, {
  hash: "view=compare&a=story&b=better",
});
const figure = (page: Page, name: string) =>
  page.getByRole("row", { name: new RegExp(`^${name}`) });
const ready = (page: Page) =>
  expect(page.getByRole("heading", { name: /^Where they part/ })).toBeVisible();

test("figures say what changed, bold where it is for the better", async ({ browser }) => {
  const page = await open(browser);
  await ready(page);
  await expect(figure(page, "Bypass")).toHaveText(/Bypass30−100 % better/);
  await expect(figure(page, "Swamp")).toHaveText(/Swamp110 %/);
  await expect(figure(page, "Failed").locator("td").nth(2)).toHaveClass(
    /as-better/,
  );
  await expect(figure(page, "Calls").locator("td").nth(2)).not.toHaveClass(
    /as-better/,
  );
  await page.context().close();
});

test("what is alike stays quiet and folds, a parting says who goes where", async ({ browser }) => {
  const page = await open(browser);
  await ready(page);
  await expect(page.getByText("first 14 calls alike")).toBeVisible();
  await expect(page.locator(".as-same")).toHaveCount(6);
  await page.getByRole("button", { name: "8 more calls alike" }).click();
  await expect(page.locator(".as-same")).toHaveCount(14);
  await expect(
    page.getByText(
      /After call 14: A uses swamp, and goes around it by k8s, B stays with swamp/,
    ),
  ).toBeVisible();
  await expect(page.getByText("no call").first()).toBeVisible();
  await expect(page.locator(".as-cmp-files")).toContainText("src/only-b.ts");
  await page.context().close();
});

test("subagents stand beside their likes; those of one side show their calls when asked", async ({ browser }) => {
  const page = await open(browser);
  await ready(page);
  await expect(page.getByText("2 only in A")).toBeVisible();
  const explore = page.getByRole("button", { name: "Explore" });
  await expect(page.getByRole("link", { name: /kubectl logs/ })).toHaveCount(0);
  await explore.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("link", { name: /kubectl logs/ })).toBeVisible();
  await expect(explore).toHaveAttribute("aria-expanded", "true");
  await page.context().close();
});

test("a call leads to its place in its session, and back", async ({ browser }) => {
  const page = await open(browser);
  await ready(page);
  await page.getByRole("link", { name: /kubectl scale/ }).click();
  await expect(page).toHaveURL(/view=session&id=story&call=breaks/);
  await expect(page.locator('.as-row[data-call="breaks"]')).toHaveClass(
    /as-cur/,
  );
  await page.goBack();
  await ready(page);
  await page.context().close();
});

test("A and B swap by button and by key, and the address says so", async ({ browser }) => {
  const page = await open(browser);
  await ready(page);
  await page.getByRole("button", { name: "Swap A and B" }).click();
  await expect(page).toHaveURL(/a=better&b=story/);
  await expect(figure(page, "Bypass")).toHaveText(/Bypass03new/);
  await page.keyboard.press("s");
  await expect(page).toHaveURL(/a=story&b=better/);
  await page.context().close();
});

test("of 1,100 calls shows what fits a screen, and more when asked", async ({ browser }) => {
  const page = await open(browser, { hash: "view=compare&a=big&b=better" });
  await ready(page);
  const folded = await page.locator(".as-pair").count();
  expect(folded).toBeLessThan(40);
  await page.getByRole("button", { name: /more calls only in A/ }).first()
    .click();
  const pairs = await page.locator(".as-pair").count();
  expect(pairs).toBeGreaterThan(folded);
  expect(pairs).toBeLessThan(130);
  await page.getByRole("button", { name: /^Show \d+ more of/ }).click();
  expect(await page.locator(".as-pair").count()).toBeGreaterThan(pairs);
  await page.context().close();
});

test("says which of the two is missing", async ({ browser }) => {
  const page = await open(browser, { hash: "view=compare&a=story&b=nobody" });
  await expect(page.locator(".as-state")).toContainText(
    "These two cannot be compared",
  );
  await expect(page.locator(".as-state")).toContainText("nobody:");
  await page.context().close();
});

test("on a phone stands in one column, A and B named on every line", async ({ browser }) => {
  const page = await open(browser, { width: 360 });
  await ready(page);
  await expect(page.locator(".as-pair:not(.as-same) .as-ab").first())
    .toBeVisible();
  const wider = await page.locator(".as").evaluate((el) => {
    const box = el.closest("main") ?? document.documentElement;
    return box.scrollWidth - box.clientWidth;
  });
  expect(wider).toBeLessThanOrEqual(0);
  await page.context().close();
});

for (const dark of [false, true]) {
  test(`axe finds nothing, ${dark ? "dark" : "light"}`, async ({ browser }) => {
    const looks: Look[] = [
      {},
      { width: 420 },
      { hash: "view=compare&a=story&b=nobody" },
      { manner: { silent: true } },
    ];
    for (const how of looks) {
      const page = await open(browser, { ...how, dark, loose: true });
      await expect(page.locator(".as-cmp-panel, .as-state").first())
        .toBeVisible();
      await expectAccessible(page);
      await page.context().close();
    }
  });
}
