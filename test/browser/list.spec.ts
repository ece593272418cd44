import { type Browser, expect, type Page, test } from "@playwright/test";
import { DEMO_NOW, type DemoData, demoData } from "./demo-data.ts";
import { type Look, looking, violations } from "./looking.ts";

const small = demoData({ sessions: 120, big: true });

const { open: look, server, complaints } = looking(small.items, {
  now: DEMO_NOW,
});

interface ListLook extends Look {
  data?: DemoData;
}
const open = (browser: Browser, { data, ...how }: ListLook = {}) =>
  look(browser, { items: data?.items, ...how });

const rows = (page: Page) => page.locator("[role=row][data-id]");
const count = (page: Page) => page.locator(".as-count [role=status]");
const ready = (page: Page) => expect(rows(page).first()).toBeVisible();

test.describe("the list", () => {
  test("shows the newest sessions, and folds trivial ones with a count", async ({ browser }) => {
    const page = await open(browser);
    await ready(page);
    const trivial =
      small.summaries.filter((s) => s.substance.tier === "trivial").length;
    await expect(count(page)).toHaveText(
      `${121 - trivial} of 121 sessions · ${trivial} trivial folded`,
    );
    await page.getByRole("button", { name: "Show trivial sessions" }).click();
    await expect(count(page)).toContainText("121 of 121");
    await expect(page).toHaveURL(/fold=0/);
    const first = small.summaries[0];
    await expect(rows(page).first()).toHaveAttribute(
      "data-id",
      first?.id ?? "",
    );
    await page.context().close();
  });

  test("of 10,000 builds only the rows in sight, wherever it is scrolled", async ({ browser }) => {
    const data = demoData({ sessions: 10_000 });
    const page = await open(browser, { data, hash: "fold=0" });
    await ready(page);
    await expect(count(page)).toContainText("10,000 of 10,000");
    const table = page.getByRole("table", { name: "Sessions" });
    await expect(table).toHaveAttribute("aria-rowcount", "10001");
    expect(await rows(page).count()).toBeLessThan(70);
    await page.locator(".as-scroll").evaluate((el) => {
      el.scrollTop = el.scrollHeight;
    });
    const last = data.summaries.at(-1);
    await expect(page.locator(`[data-id="${last?.id}"]`)).toBeVisible();
    expect(await rows(page).count()).toBeLessThan(70);
    await page.context().close();
  });

  test("sorts by a header, and by several with Shift", async ({ browser }) => {
    const page = await open(browser, { hash: "fold=0" });
    await ready(page);
    const header = (name: string) =>
      page.getByRole("columnheader", { name }).getByRole("button");
    await header("Repo").click();
    await header("Failed").click({ modifiers: ["Shift"] });
    await expect(page).toHaveURL(/sort=repo,-failed/);
    const expected = [...small.summaries].sort((a, b) =>
      a.repo.name < b.repo.name
        ? -1
        : a.repo.name > b.repo.name
        ? 1
        : b.failedCalls - a.failedCalls ||
          (a.startedAt < b.startedAt ? 1 : -1)
    );
    for (const i of [0, 1, 2, 10]) {
      await expect(rows(page).nth(i)).toHaveAttribute(
        "data-id",
        expected[i]?.id ?? "",
      );
    }
    await expect(page.getByRole("columnheader", { name: "Repo" }))
      .toHaveAttribute("aria-sort", "ascending");
    await page.context().close();
  });

  test("filters by a facet, whose counts the other filters decide", async ({ browser }) => {
    const page = await open(browser, { hash: "fold=0" });
    await ready(page);
    const search = page.getByRole("search");
    await search.getByRole("button", { name: "Repo" }).click();
    const dialog = page.getByRole("dialog", { name: "Repo" });
    const wanted = small.summaries.filter((s) => s.repo.name === "billing-api");
    await dialog.getByLabel(`billing-api${wanted.length}`).check();
    await expect(count(page)).toHaveText(
      new RegExp(`^${wanted.length} of 121 sessions`),
    );
    await page.keyboard.press("Escape");
    await search.getByRole("button", { name: "Harness" }).click();
    const codex = wanted.filter((s) => s.harness.name === "codex").length;
    await expect(
      page.getByRole("dialog", { name: "Harness" }).locator("label", {
        hasText: "codex",
      }),
    ).toHaveText(`codex${codex}`);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect(count(page)).toContainText("121 of 121");
    await page.context().close();
  });

  test("keeps its state in the address: a link opens it, back and forward work", async ({ browser }) => {
    const page = await open(browser, {
      hash: "q=main&sort=-calls&group=repo&cols=started,-branch,repo&fold=0",
    });
    await ready(page);
    await expect(page.getByRole("searchbox")).toHaveValue("main");
    await expect(page.getByRole("columnheader", { name: "Branch" }))
      .toHaveCount(0);
    await expect(page.getByRole("rowheader").first()).toContainText("session");
    const id = await rows(page).first().getAttribute("data-id");
    await rows(page).first().locator("a").click();
    await expect(page).toHaveURL(new RegExp(`view=session&id=${id}`));
    await page.goBack();
    await expect(page.getByRole("searchbox")).toHaveValue("main");
    await expect(page.locator(`[data-id="${id}"] a`)).toBeFocused();
    await page.goForward();
    await expect(page).toHaveURL(/view=session/);
    await page.context().close();
  });

  test("filters by dragging over the strip, and a click takes it back", async ({ browser }) => {
    const page = await open(browser, { hash: "fold=0" });
    await ready(page);
    const box = await page.locator(".as-plot").boundingBox();
    if (!box) throw new Error("no strip");
    await page.mouse.move(box.x + box.width * 0.8, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.9, box.y + 20, { steps: 5 });
    await page.mouse.up();
    await expect(page).toHaveURL(/from=2026-09-\d\d&to=2026-10-\d\d/);
    await expect(count(page)).not.toContainText("121 of 121");
    await page.mouse.click(box.x + box.width * 0.3, box.y + 20);
    await expect(count(page)).toContainText("121 of 121");
    await page.mouse.click(box.x + box.width * 0.5, box.y + 20);
    await expect(page).toHaveURL(/split=2026-0/);
    await page.context().close();
  });

  test("hides and moves columns, and sets a width by keys", async ({ browser }) => {
    const page = await open(browser);
    await ready(page);
    await page.getByRole("button", { name: "Columns" }).click();
    const dialog = page.getByRole("dialog", { name: "Columns" });
    await dialog.getByLabel("Tokens", { exact: true }).uncheck();
    await dialog.getByRole("button", { name: "Move Repo up" }).click();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("columnheader", { name: "Tokens" }))
      .toHaveCount(0);
    await expect(page.getByRole("columnheader").nth(1)).toContainText("Repo");
    const repo = page.getByRole("columnheader", { name: "Repo" });
    const before = (await repo.boundingBox())?.width ?? 0;
    await repo.getByRole("button").focus();
    await page.keyboard.press("Shift+ArrowRight");
    await expect.poll(async () => (await repo.boundingBox())?.width).toBe(
      before + 8,
    );
    await page.context().close();
  });

  test("works with keys alone: move, fold, search, pick two, compare", async ({ browser }) => {
    const page = await open(browser);
    await ready(page);
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await expect(rows(page).nth(1).locator("a")).toBeFocused();
    await page.keyboard.press("x");
    await page.keyboard.press("k");
    await page.keyboard.press("x");
    await expect(page.getByText("2 selected")).toBeVisible();
    await page.keyboard.press("t");
    await expect(page).toHaveURL(/fold=0/);
    await page.keyboard.press("G");
    const last = small.summaries.at(-1);
    await expect(page.locator(`[data-id="${last?.id}"] a`)).toBeFocused();
    await page.keyboard.press("/");
    await page.keyboard.type("billing");
    await expect(page).toHaveURL(/q=billing/);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("searchbox")).toHaveValue("");
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog", { name: "Keyboard" })).toBeVisible();
    await page.keyboard.press("Escape");
    await page.keyboard.press("d");
    await expect(page.getByRole("dialog", { name: "Date" })).toBeVisible();
    await page.keyboard.press("Escape");
    await page.keyboard.press("c");
    await expect(page).toHaveURL(/view=compare&a=.+&b=.+/);
    await page.goBack();
    await ready(page);
    await page.keyboard.press("g");
    await expect(rows(page).first().locator("a")).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/view=session/);
    await page.context().close();
  });

  test("keeps a view of one's own, and opens it again", async ({ browser }) => {
    const page = await open(browser, { hash: "repo=billing-api&sort=-calls" });
    await ready(page);
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByRole("button", { name: "Save this view" }).click();
    await page.keyboard.type("Billing");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByRole("button", { name: /^Billing/ }).click();
    await expect(page).toHaveURL(/repo=billing-api&sort=-calls/);
    await page.context().close();
  });

  test("is two lines a row where it is narrow, and nothing sticks out at 360 px", async ({ browser }) => {
    for (const width of [420, 360]) {
      const page = await open(browser, { width });
      await ready(page);
      expect((await rows(page).first().boundingBox())?.height).toBe(56);
      const wide = await page.evaluate(() =>
        document.documentElement.scrollWidth - innerWidth
      );
      expect(wide).toBeLessThanOrEqual(0);
      const scroll = await page.locator(".as-scroll").evaluate((el) =>
        el.scrollWidth - el.clientWidth
      );
      expect(scroll).toBe(0);
      await page.context().close();
    }
  });

  test("loads 24,000 sessions by month and can be used meanwhile", async ({ browser }) => {
    const data = demoData({ sessions: 24_000 });
    const page = await open(browser, {
      data,
      hash: "fold=0",
      manner: { delayMs: 300 },
    });
    await ready(page);
    await expect(page.locator(".as-list")).toHaveAttribute(
      "data-status",
      "partial",
    );
    await expect(rows(page).first()).toHaveAttribute(
      "data-id",
      data.summaries[0]?.id ?? "",
    );
    await page.keyboard.press("j");
    await expect(rows(page).first().locator("a")).toBeFocused();
    await expect(count(page)).toContainText("24,000 of 24,000", {
      timeout: 20_000,
    });
    await page.context().close();
  });
});

test.describe("honest states", () => {
  test("no sessions: how to get some, and no entry in the sidebar", async ({ browser }) => {
    const page = await open(browser, { data: demoData({ sessions: 0 }) });
    await expect(page.getByText("No sessions yet")).toBeVisible();
    await expect(page.getByText("swamp extension import sessions"))
      .toBeVisible();
    await expect(page.getByRole("link", { name: "Agent Sessions" }))
      .toHaveCount(0);
    server().answer(small);
    await page.getByRole("button", { name: "Check again" }).click();
    await ready(page);
    await page.context().close();
  });

  test("an entry with a Preview chip once there are sessions", async ({ browser }) => {
    const page = await open(browser);
    await expect(page.getByRole("link", { name: "Agent Sessions Preview" }))
      .toBeVisible();
    await page.context().close();
  });

  test("no access: which grant is missing", async ({ browser }) => {
    const page = await open(browser, {
      manner: { error: { code: "unauthorized", message: "no" } },
    });
    await expect(page.getByText("You cannot read session data")).toBeVisible();
    await expect(page.getByText("read data:*")).toBeVisible();
    await page.context().close();
  });

  test("an error: what it was; and it can be tried again", async ({ browser }) => {
    const page = await open(browser, {
      manner: { error: { code: "internal", message: "<b>boom</b>" } },
    });
    await expect(page.getByText("The list could not be loaded")).toBeVisible();
    await expect(page.getByText("<b>boom</b>")).toBeVisible();
    server().answer(small);
    await page.getByRole("button", { name: "Try again" }).click();
    await ready(page);
    server().answer(small, { error: { code: "internal", message: "again" } });
    await page.getByRole("button", { name: "Read again" }).click();
    await expect(page.getByRole("alert")).toContainText("again");
    await ready(page);
    await page.context().close();
  });

  test("a broken connection comes back", async ({ browser }) => {
    const page = await open(browser);
    await ready(page);
    server().breakSockets();
    await page.getByRole("button", { name: "Read again" }).click();
    await expect(page.locator(".as-list")).toHaveAttribute(
      "data-status",
      "ready",
    );
    // Losing the socket is the browser's own complaint, and not ours.
    complaints.length = 0;
    await page.context().close();
  });

  test("a newer schema: how many are not shown, which, and what to do", async ({ browser }) => {
    const page = await open(browser, {
      data: demoData({ sessions: 40, newer: 7 }),
    });
    await ready(page);
    await expect(page.getByText("7 sessions are not shown:")).toBeVisible();
    await page.getByRole("button", { name: "Show ids" }).click();
    await expect(page.locator(".as-ids")).toBeVisible();
    await page.context().close();
  });

  test("nothing matches: say so, and the way back", async ({ browser }) => {
    const page = await open(browser, { hash: "q=zzz" });
    await expect(page.getByText("Nothing matches")).toBeVisible();
    await page.locator(".as-state").getByRole("button", {
      name: "Clear filters",
    }).click();
    await ready(page);
    await page.context().close();
  });
});

test("hostile text is text: nothing runs, nothing is loaded, no row grows", async ({ browser }) => {
  const data = demoData({ sessions: 2, hostile: true });
  const page = await open(browser, { data, hash: "fold=0" });
  const loaded: string[] = [];
  page.on("request", (request) => loaded.push(request.url()));
  await ready(page);
  await expect(page).toHaveTitle("Agent Sessions · swamp");
  expect(loaded.filter((url) => !url.startsWith(server().url))).toEqual([]);
  expect(await page.locator(".as img, .as script").count()).toBe(0);
  const heights = await rows(page).evaluateAll((all) =>
    all.map((row) => row.getBoundingClientRect().height)
  );
  expect(new Set(heights)).toEqual(new Set([32]));
  await expect(rows(page).first()).toContainText("<img src=x");
  for (const name of ["Repo", "Model"]) {
    await page.getByRole("search").getByRole("button", { name }).click();
    await expect(page.getByRole("dialog", { name })).toBeVisible();
    await page.keyboard.press("Escape");
  }
  await page.context().close();
});

const STATES:
  readonly (readonly [string, ListLook, ((page: Page) => Promise<void>)?])[] = [
    ["plain", {}],
    ["empty", { data: demoData({ sessions: 0 }) }],
    ["loading", { manner: { silent: true } }],
    ["error", { manner: { error: { code: "internal", message: "boom" } } }],
    ["no access", { manner: { error: { code: "unauthorized", message: "" } } }],
    ["newer", { data: demoData({ sessions: 40, newer: 7 }) }],
    ["nothing matches", { hash: "q=zzz" }],
    ["filtered and picked", {
      hash: `label=bypass&from=2026-08-01&pick=${small.summaries[0]?.id}&pick=${
        small.summaries[1]?.id
      }`,
    }],
    ["grouped", { hash: "group=repo&sort=repo,-calls" }],
    ["420 px", { width: 420 }],
    ["360 px", { width: 360 }],
    ["4K", { width: 3840 }],
    [
      "facet",
      {},
      (page) =>
        page.getByRole("search").getByRole("button", { name: "Findings" })
          .click(),
    ],
    ["dates", {}, (page) => page.keyboard.press("d")],
    [
      "columns",
      {},
      (page) => page.getByRole("button", { name: "Columns" }).click(),
    ],
    [
      "views",
      {},
      (page) => page.getByRole("button", { name: "Views" }).click(),
    ],
    ["keys", {}, (page) => page.keyboard.press("?")],
    ["current row", {}, async (page) => {
      await page.keyboard.press("j");
      await page.keyboard.press("x");
    }],
  ];

for (const dark of [false, true]) {
  test(`axe finds nothing in any state, ${dark ? "dark" : "light"}`, async ({ browser }) => {
    test.setTimeout(180_000);
    const found: string[] = [];
    for (const [name, look, act] of STATES) {
      const page = await open(browser, { ...look, dark, loose: true });
      await expect(page.locator(".as-list")).toBeVisible();
      if (!look.manner?.silent) {
        await expect(page.locator(".as-list")).not.toHaveAttribute(
          "data-status",
          "loading",
        );
      }
      await act?.(page);
      for (const v of await violations(page)) found.push(`${name}: ${v}`);
      await page.context().close();
    }
    expect(found).toEqual([]);
  });
}
