/**
 * Opens an address in the person's browser, where there is one.
 *
 * @module
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import open from "open";
import type { Io } from "./io.ts";

/** Whether a browser can be expected to show up before whoever runs this. */
export function hasBrowser(
  io: Pick<Io, "env" | "platform" | "stdout">,
): boolean {
  const { env, platform } = io;
  if (!io.stdout.isTTY || env.CI || env.SSH_CONNECTION) return false;
  return platform === "darwin" || platform === "win32" ||
    Boolean(env.DISPLAY || env.WAYLAND_DISPLAY || env.WSL_DISTRO_NAME);
}

/** How long a browser may take to read the file, in milliseconds. */
const KEPT_MS = 60_000;

/**
 * Opens the address; undefined where no browser could be started. The address
 * holds a token, and command lines can be read by every user of the machine:
 * the browser is given a file that leads there and only its owner can read. It
 * is removed by what this returns, after a minute, or when the process exits.
 */
export async function openInBrowser(
  url: string,
  io: Pick<Io, "env" | "platform" | "homedir">,
): Promise<(() => void) | undefined> {
  // A browser on the Windows side cannot be counted on to read files of Linux.
  if (io.env.WSL_DISTRO_NAME) return await launch(url) ? () => {} : undefined;
  let door: { path: string; remove(): void };
  try {
    door = makeDoor(url, io);
  } catch {
    return undefined;
  }
  const timer = setTimeout(() => remove(), KEPT_MS);
  timer.unref();
  const remove = () => {
    clearTimeout(timer);
    process.off("exit", remove);
    door.remove();
  };
  process.on("exit", remove);
  if (await launch(door.path)) return remove;
  remove();
  return undefined;
}

/** A page that leads to the address, in a folder of its own. */
function makeDoor(
  url: string,
  { platform, homedir }: Pick<Io, "platform" | "homedir">,
): { path: string; remove(): void } {
  // A browser from a snap sees neither the temporary nor hidden folders.
  const snaps = platform === "linux" && existsSync("/snap/bin");
  // Made for its owner alone.
  const folder = mkdtempSync(
    join(snaps ? homedir : tmpdir(), "swamp-sessions-open-"),
  );
  const remove = () => {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // What it leads to ends with this process.
    }
  };
  const path = join(folder, "open.html");
  try {
    writeFileSync(path, doorPage(url), { flag: "wx", mode: 0o600 });
  } catch (error) {
    remove();
    throw error;
  }
  return { path, remove };
}

function doorPage(url: string): string {
  const shown = url.replace(
    /[&<>"']/g,
    (c) => `&#${c.charCodeAt(0)};`,
  );
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${shown}">
<title>Agent sessions</title>
<a href="${shown}">Agent sessions</a>
`;
}

async function launch(target: string): Promise<boolean> {
  try {
    await open(target);
    return true;
  } catch {
    return false;
  }
}
