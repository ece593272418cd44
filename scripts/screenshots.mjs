// Takes the README's pictures, from the real page as built: the list over
// generated sessions, a session over the authored fixtures. With --all also
// every state, light and dark, wide and narrow, into test-results/screens.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";
import { CHROMIUM_ARGS, findChromium } from "./chromium.mjs";
import { loadTs } from "./load-ts.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const CLI = join(ROOT, "dist/bin/swamp-sessions.js");
const IMAGES = join(ROOT, "docs/images");
const SCREENS = join(ROOT, "test-results/screens");
const all = process.argv.includes("--all");

const { DEMO_NOW, demoData, serve } = await loadTs("test/browser/screens.ts");
const browser = await chromium.launch({
  executablePath: await findChromium(),
  args: CHROMIUM_ARGS,
});

async function shot(
  url,
  path,
  { width = 1440, height = 900, theme = "light", now, act },
) {
  const page = await browser.newPage({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: "reduce",
    deviceScaleFactor: 1,
    timezoneId: "UTC",
  });
  // Generated sessions end on a fixed day: the page sees them from there.
  if (now) await page.clock.setFixedTime(now);
  await page.goto(url);
  await page.waitForLoadState("networkidle");
  await act?.(page);
  await page.waitForTimeout(600);
  await page.screenshot({ path });
  await page.close();
  console.log(path.slice(ROOT.length));
}

/** The real dashboard over the authored fixtures. */
async function fixtures(use) {
  const repo = mkdtempSync(join(tmpdir(), "screens-"));
  const homes = join(ROOT, "fixtures/homes");
  for (const family of readdirSync(homes)) {
    execFileSync(process.execPath, [
      CLI,
      "import",
      "--all",
      "--init",
      "--json",
      "--home",
      join(homes, family, "home"),
      "--repo-dir",
      repo,
    ]);
  }
  const child = spawn(process.execPath, [
    CLI,
    "dashboard",
    "--json",
    "--port",
    "0",
    "--repo-dir",
    repo,
  ], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const url = await new Promise((done, fail) => {
      let text = "";
      child.stdout.on("data", (chunk) => {
        text += chunk;
        if (text.includes("\n")) done(JSON.parse(text).url);
      });
      child.on("exit", () => fail(new Error("the dashboard ended")));
    });
    await use(url);
  } finally {
    child.kill();
    rmSync(repo, { recursive: true, force: true });
  }
}

/** The built page over generated sessions. */
async function generated(options, use, manner) {
  const served = await serve(demoData(options), manner);
  try {
    await use(served.url);
  } finally {
    await served.close();
  }
}

const openRelease = (page) =>
  page.getByRole("link", { name: /24 Nov/ }).first().click();

mkdirSync(IMAGES, { recursive: true });
const image = (name) => join(IMAGES, `${name}.png`);
await generated({ sessions: 400 }, async (url) => {
  await shot(url, image("list-light"), { now: DEMO_NOW });
  await shot(url, image("list-dark"), { theme: "dark", now: DEMO_NOW });
});
await fixtures(async (url) => {
  await shot(url, image("session-light"), { act: openRelease });
  await shot(url, image("session-dark"), { theme: "dark", act: openRelease });
});

if (all) {
  mkdirSync(SCREENS, { recursive: true });
  const sizes = [
    [360, 740],
    [420, 860],
    [768, 900],
    [1024, 768],
    [1440, 900],
    [1920, 1080],
    [3840, 2160],
  ];
  const counts = [0, 1, 10_000];
  const manners = {
    loading: { silent: true },
    "no-access": { error: { code: "unauthorized", message: "no" } },
    error: { error: { code: "internal", message: "it broke" } },
  };
  await fixtures(async (own) => {
    for (const theme of ["light", "dark"]) {
      for (const [width, height] of sizes) {
        const size = { width, height, theme };
        const take = (url, what, act) =>
          shot(url, join(SCREENS, `${what}-${width}-${theme}.png`), {
            ...size,
            ...(url === own ? {} : { now: DEMO_NOW }),
            act,
          });
        for (const sessions of counts) {
          await generated(
            { sessions },
            (url) => take(url, `list-${sessions}`),
          );
        }
        await take(own, "fixtures");
        await take(own, "session", openRelease);
        await take(own, "session-wall", async (page) => {
          await openRelease(page);
          await page.getByText("get-bucket-versioning").first().waitFor();
          await page.keyboard.press("w");
        });
        for (const part of ["Files", "Tests", "Tools", "Tokens"]) {
          await take(own, `session-${part.toLowerCase()}`, async (page) => {
            await openRelease(page);
            await page.getByRole("link", { name: part }).click();
          });
        }
        await take(own, "session-why", async (page) => {
          await openRelease(page);
          await page.getByText("get-bucket-versioning").first().waitFor();
          await page.keyboard.press("b");
          await page.keyboard.press("l");
        });
        await take(own, "compare", async (page) => {
          for (const key of ["j", "x", "j", "x", "c"]) {
            await page.keyboard.press(key);
          }
          await page.getByText("Where they part").waitFor();
        });
        await take(own, "filter", (page) => page.keyboard.press("f"));
        await take(own, "keys", (page) => page.keyboard.press("?"));
      }
      for (const [what, manner] of Object.entries(manners)) {
        await generated(
          { sessions: 3 },
          (url) =>
            shot(url, join(SCREENS, `list-${what}-${theme}.png`), { theme }),
          manner,
        );
      }
    }
  });
}
await browser.close();
