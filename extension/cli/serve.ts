/**
 * Serves the page until the person stops it.
 *
 * @module
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  type RunningServer,
  type ServerOptions,
  startServer,
} from "../../dashboard-page/server/mod.ts";
import { hasBrowser, openInBrowser } from "./browser.ts";
import type { Context } from "./command.ts";
import { CliError, EXIT, type ExitCode } from "./errors.ts";
import { toJson } from "./json.ts";
import { PAGE_DIR } from "./package-root.ts";

/** Port where none is asked for; another one where it is taken. */
export const DEFAULT_PORT = 7373;

/** How to serve. */
export interface ServeOptions {
  /** Where the data comes from. */
  source: ServerOptions["source"];
  /** Port asked for; undefined is {@link DEFAULT_PORT} or any free one. */
  port: number | undefined;
  /** One line `{url}` on stdout instead of text. */
  json: boolean;
  /** Whether to open the browser. */
  open: boolean;
  /** Called once it listens and has said so. */
  ready?(): void;
}

/** Listens, says where, and waits for Ctrl-C. */
export async function servePage(
  context: Context,
  options: ServeOptions,
): Promise<ExitCode> {
  const { io, out } = context;
  if (!existsSync(join(PAGE_DIR, "index.html"))) {
    throw new CliError(
      "PAGE_NOT_BUILT",
      `The page is not built (${PAGE_DIR} has no index.html). Run \`npm run build\` in the package's folder.`,
    );
  }
  io.catchInterrupts();
  const server = await listen(options);
  let opened: (() => void) | undefined;
  if (options.json) await context.print(toJson({ url: server.url }));
  else {
    await context.print(`Agent sessions: ${out.cyan(server.url)}`);
    await context.print(
      out.dim(
        "The address lets in whoever has it: do not share it. Ctrl-C stops.",
      ),
    );
    if (options.open && hasBrowser(io)) {
      opened = await openInBrowser(server.url, io);
      if (!opened) {
        await context.note(
          "No browser could be started; open the address yourself.",
        );
      }
    }
  }
  options.ready?.();
  await stopped(io.interrupted);
  opened?.();
  await server.close();
  return EXIT.ok;
}

function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    else signal.addEventListener("abort", () => done(), { once: true });
  });
}

async function listen(options: ServeOptions): Promise<RunningServer> {
  const start = (port: number) =>
    startServer({ pageDir: PAGE_DIR, port, source: options.source });
  try {
    return await start(options.port ?? DEFAULT_PORT);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code !== "EADDRINUSE" && code !== "EACCES") throw error;
    if (options.port === undefined) return await start(0);
    throw new CliError(
      "PORT_TAKEN",
      `Port ${options.port} ${
        code === "EACCES"
          ? "may not be used by you"
          : "is taken by another program"
      }. Give another --port, or --port 0 for any free one.`,
    );
  }
}
