import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";

const CLI = fileURLToPath(
  new URL("../../dist/bin/swamp-sessions.js", import.meta.url),
);
const HOME = fileURLToPath(
  new URL("../../fixtures/homes/claude-release/home", import.meta.url),
);

/** Starts the dashboard of a repository; gives its URL and a way to stop it. */
async function dashboard(repo: string): Promise<[string, () => void]> {
  const child = spawn(process.execPath, [
    CLI,
    "dashboard",
    "--repo-dir",
    repo,
    "--port",
    "0",
    "--json",
  ], { stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise<string>((done, fail) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
      if (text.includes("\n")) done(JSON.parse(text).url);
    });
    child.on("exit", (code) => fail(new Error(`the dashboard ended: ${code}`)));
  });
  return [url, () => child.kill()];
}

test("from session files to a session opened in the browser", async ({ page }) => {
  const repo = mkdtempSync(join(tmpdir(), "whole-"));
  const complaints: string[] = [];
  page.on("console", (m) => {
    if (m.type() === "error") complaints.push(m.text());
  });
  page.on("pageerror", (e) => complaints.push(String(e)));
  let stop = () => {};
  try {
    execFileSync(process.execPath, [
      CLI,
      "import",
      "--home",
      HOME,
      "--repo-dir",
      repo,
      "--init",
      "--all",
      "--json",
    ]);
    const [url, end] = await dashboard(repo);
    stop = end;
    await page.goto(url);
    await expect(page.getByText("Preview").first()).toBeVisible();
    await page.getByRole("link", { name: /24 Nov|Nov 24/ }).first().click();
    // The subagent of the subagent stands in place, with its failed bypass.
    await expect(page.getByText("get-bucket-versioning").first()).toBeVisible();
    await expect(page.getByText("kubectl").first()).toBeVisible();
    expect(await page.content()).not.toContain("roll it out to staging");
    expect(complaints).toEqual([]);
  } finally {
    stop();
    rmSync(repo, { recursive: true, force: true });
  }
});

test("without data the page stays hidden", async ({ page }) => {
  const repo = mkdtempSync(join(tmpdir(), "whole-"));
  let stop = () => {};
  try {
    execFileSync(process.execPath, [
      CLI,
      "import",
      "--home",
      repo,
      "--repo-dir",
      repo,
      "--init",
      "--json",
    ]);
    const [url, end] = await dashboard(repo);
    stop = end;
    await page.goto(url);
    await expect(page.getByText("Dashboard").first()).toBeVisible();
    await expect(page.getByText("Preview")).toHaveCount(0);
  } finally {
    stop();
    rmSync(repo, { recursive: true, force: true });
  }
});
