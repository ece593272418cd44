/**
 * The built page's files. Only files that a listing of the folder found are
 * served, by their URL path: a path that climbs out of it names none of them.
 *
 * @module
 */
import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { extname, join } from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};

/** Vite puts a hash into the names below this: they never change. */
const HASHED = "/assets/";

/** A new listing at most this often: a build may have replaced the files. */
const RELIST_MS = 1000;

/** Serves the files of a folder. */
export class StaticFiles {
  private files = new Map<string, string>();
  private listedAt = -Infinity;

  /** Serves what lies under `dir`, symbolic links excepted. */
  constructor(private readonly dir: string) {}

  /** The file for a URL path. */
  async find(path: string): Promise<string | undefined> {
    let file = this.files.get(path);
    if (file === undefined && performance.now() - this.listedAt > RELIST_MS) {
      this.listedAt = performance.now();
      this.files = await list(this.dir);
      file = this.files.get(path);
    }
    return file;
  }

  /** Sends a file that `find` found; a HEAD request gets the headers. */
  send(file: string, path: string, response: ServerResponse): void {
    const body = createReadStream(file);
    body.once("open", () => {
      response.writeHead(200, {
        "content-type": TYPES[extname(file).toLowerCase()] ??
          "application/octet-stream",
        "cache-control": path.startsWith(HASHED)
          ? "public, max-age=31536000, immutable"
          : "no-cache",
      });
      if (response.req.method === "HEAD") {
        body.destroy();
        response.end();
      } else body.pipe(response);
    });
    body.once("error", () => {
      // Removed since the listing: forget it.
      this.files.delete(path);
      if (!response.headersSent) response.writeHead(404);
      response.end();
    });
    response.once("close", () => body.destroy());
  }
}

async function list(dir: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const walk = async (folder: string, url: string): Promise<void> => {
    let entries;
    try {
      entries = await readdir(folder, { withFileTypes: true });
    } catch {
      return;
    }
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await walk(path, `${url}${entry.name}/`);
      else if (entry.isFile()) found.set(`${url}${entry.name}`, path);
    }
  };
  await walk(dir, "/");
  return found;
}
