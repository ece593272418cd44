/**
 * Opens an address in the person's browser, where there is one.
 *
 * @module
 */
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

/** Opens the address; true where a browser was started. */
export async function openInBrowser(url: string): Promise<boolean> {
  try {
    const child = await open(url);
    return await new Promise((done) => {
      child.once("error", () => done(false));
      child.once("spawn", () => done(true));
      // Started before we listened.
      if (child.pid !== undefined) done(true);
    });
  } catch {
    return false;
  }
}
