/**
 * What scanning found out about files, kept between runs, so that a run with
 * nothing changed only stats them.
 *
 * Files are known by a hash of their path. Heads hold ids, hashes, times and a
 * working directory; of that the owner's name is not written: one's own home
 * directory becomes `~`, another's name a hash, which still compares. A head
 * in which redaction would find something is not kept at all. The file lies
 * beside `data/`, so it is never synced, and may be deleted at any time.
 *
 * @module
 */
import { dirname, join, resolve } from "node:path";
import { hash53 } from "../../schema/mod.ts";
import type { HeadCache, SourceFile } from "../harness/types.ts";
import { redact } from "../redact/mod.ts";
import { ensureFolder, readSmall, writeAtomic } from "../store/files.ts";
import { layoutOf } from "../store/layout.ts";

const FORMAT = 1;
/** Most entries kept, and the longest of them; what is left out is read again. */
const MAX_ENTRIES = 400_000, MAX_ENTRY = 4000;
/** Most bytes of the file. */
const MAX_BYTES = 256 * 1024 * 1024;

const keyOf = (path: string) => hash53(path).toString(36);

const OTHERS =
  /^((?:\/(?:mnt\/[a-z]\/)?(?:Users|home)|[A-Za-z]:[\\/]Users)[\\/])([^\\/]+)/;

/** The path with the name of whoever's home it lies in as a hash. */
export function foldNames(path: string): string {
  return path.replace(
    OTHERS,
    (_, before: string, name: string) =>
      before + (name.startsWith("~") ? name : `~${keyOf(name)}`),
  );
}

function eachString(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((v) => eachString(v, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([k, v]) => [k, eachString(v, change)]),
  );
}

/** A head cache in a file. */
export class HeadFile implements HeadCache {
  #path: string | undefined;
  #root: string;
  #home: string;
  #lines: Map<string, string> | undefined;
  #used = new Set<string>();
  #changed = false;

  /** Without a path it remembers for one run only; `root` holds the path. */
  constructor(path: string | undefined, root: string, home: string) {
    this.#path = path;
    this.#root = root;
    this.#home = home.replace(/[\\/]+$/, "");
  }

  /** What imports into a repository remember. */
  static in(repo: string, home: string): HeadFile {
    const folder = resolve(repo);
    return new HeadFile(join(layoutOf(folder).own, "heads.txt"), folder, home);
  }

  #load(): Map<string, string> {
    if (this.#lines) return this.#lines;
    const lines = this.#lines = new Map<string, string>();
    if (this.#path === undefined) return lines;
    try {
      const [head, ...rest] = readSmall(this.#path, MAX_BYTES).split("\n");
      if (head !== `{"heads":${FORMAT}}`) return lines;
      for (const line of rest) {
        const at = line.indexOf(" ");
        if (at > 0) lines.set(line.slice(0, at), line.slice(at + 1));
      }
    } catch {
      // No cache yet, or none that can be read: heads are read again.
    }
    return lines;
  }

  #fold(text: string): string {
    const home = this.#home;
    return home !== "" &&
        (text === home || text.startsWith(`${home}/`) ||
          text.startsWith(`${home}\\`))
      ? `~${text.slice(home.length)}`
      : foldNames(text);
  }

  #unfold(text: string): string {
    return text === "~" || text.startsWith("~/") || text.startsWith("~\\")
      ? this.#home + text.slice(1)
      : text;
  }

  /** See {@link HeadCache}. */
  get(file: SourceFile): unknown {
    const key = keyOf(file.path);
    const line = this.#load().get(key);
    if (line === undefined) return undefined;
    try {
      const [size, time, head] = JSON.parse(line) as unknown[];
      if (size !== file.size || time !== Math.floor(file.mtimeMs)) {
        return undefined;
      }
      this.#used.add(key);
      return eachString(head, (text) => this.#unfold(text));
    } catch {
      return undefined;
    }
  }

  /** See {@link HeadCache}. */
  put(file: SourceFile, head: unknown): void {
    const key = keyOf(file.path);
    let secret = false;
    const folded = eachString(head, (text) => {
      const kept = this.#fold(text);
      // Ids and hashes look like secrets; only folders can hold one.
      secret ||= /[\\/]/.test(kept) && redact(kept).spans.length > 0;
      return kept;
    });
    const line = JSON.stringify([
      file.size,
      Math.floor(file.mtimeMs),
      folded,
    ]);
    if (secret || line.length > MAX_ENTRY) return;
    this.#used.add(key);
    const lines = this.#load();
    if (lines.get(key) === line) return;
    lines.set(key, line);
    this.#changed = true;
  }

  /** Writes what changed; nothing where nothing did. Failing is no error. */
  save(): void {
    const lines = this.#lines;
    if (!this.#changed || !lines || this.#path === undefined) return;
    if (lines.size > MAX_ENTRIES) {
      for (const key of lines.keys()) {
        if (!this.#used.has(key)) lines.delete(key);
      }
    }
    const out = [`{"heads":${FORMAT}}`];
    for (const [key, line] of lines) out.push(`${key} ${line}`);
    try {
      ensureFolder(dirname(this.#path), this.#root);
      writeAtomic(this.#path, out.join("\n") + "\n", {
        mode: 0o600,
        own: true,
      });
      this.#changed = false;
    } catch {
      // A cache that cannot be kept costs time, nothing else.
    }
  }
}
