// Finds a Chromium for the browser tests and screenshots: the usual places,
// else Playwright's own, else Debian's where it may be installed.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const PLACES = {
  linux: [
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
    "/usr/bin/google-chrome-stable",
    "/snap/bin/chromium",
  ],
  darwin: [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
  ],
  win32: [
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
  ],
};

/** Path of a Chromium, or an error that says how to get one. */
export async function findChromium() {
  const asked = process.env.CHROMIUM_PATH;
  if (asked) {
    if (existsSync(asked)) return asked;
    throw new Error(`CHROMIUM_PATH is ${asked}, which does not exist.`);
  }
  const usual = (PLACES[process.platform] ?? []).find((p) => existsSync(p));
  if (usual) return usual;
  const { chromium } = await import("@playwright/test");
  if (existsSync(chromium.executablePath())) return chromium.executablePath();
  if (process.platform === "linux" && process.getuid?.() === 0) {
    console.log("No Chromium found: installing Debian's (apt-get).");
    const apt = (...args) =>
      spawnSync("apt-get", args, {
        stdio: ["ignore", "ignore", "inherit"],
        env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
      }).status === 0;
    const install = ["install", "-y", "--no-install-recommends", "chromium"];
    if (
      (apt(...install) || (apt("update") && apt(...install))) &&
      existsSync("/usr/bin/chromium")
    ) return "/usr/bin/chromium";
  }
  throw new Error(
    "No Chromium found for the browser tests. Install one (Debian: `apt-get install chromium`, " +
      "else `npx playwright install chromium`) or set CHROMIUM_PATH.",
  );
}

/** Flags for a Chromium that neither needs a sandbox as root nor the network. */
export const CHROMIUM_ARGS = [
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

if (process.argv[1]?.endsWith("chromium.mjs")) {
  const path = await findChromium();
  console.log(path, execFileSync(path, ["--version"]).toString().trim());
}
