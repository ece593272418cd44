/**
 * Patches in the `apply_patch` grammar: which files they touch. Contents of
 * files are never kept.
 *
 * @module
 */

/** What a patch does to files. */
export interface PatchFiles {
  /** One line a file: `Update src/a.ts`, `Move src/a.ts to src/b.ts`. */
  text: string;
  /** Paths written, moved to or deleted, each once. */
  paths: string[];
}

/** Where a patch begins. */
export const PATCH_BEGIN = "*** Begin Patch";
const PATCH_END = "*** End Patch";

/** Longest path kept, in UTF-16 units, and most files of one patch. */
const MAX_PATH = 1024, MAX_FILES = 2000;

const HEADER = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const MOVE = /^\*\*\* Move to: (.+)$/;

/** Lines of a text, without making them all at once. */
function* lines(text: string): Generator<string> {
  for (let from = 0; from <= text.length;) {
    const end = text.indexOf("\n", from);
    const to = end < 0 ? text.length : end;
    yield text.slice(from, text[to - 1] === "\r" ? to - 1 : to);
    from = to + 1;
  }
}

/** The files of a patch; undefined where the text holds none. */
export function patchFiles(patch: string): PatchFiles | undefined {
  const done: { verb: string; path: string; to?: string }[] = [];
  for (const line of lines(patch)) {
    if (!line.startsWith("*** ")) continue;
    const header = HEADER.exec(line);
    const last = done[done.length - 1];
    if (header?.[1] && header[2]) {
      if (done.length >= MAX_FILES) break;
      done.push({ verb: header[1], path: header[2].trim().slice(0, MAX_PATH) });
    } else if (last) {
      const to = MOVE.exec(line)?.[1];
      if (to) last.to = to.trim().slice(0, MAX_PATH);
    }
  }
  if (done.length === 0) return undefined;
  const text = done.map(({ verb, path, to }) =>
    to === undefined ? `${verb} ${path}` : `Move ${path} to ${to}`
  );
  const paths = new Set(
    done.flatMap(({ path, to }) => to === undefined ? [path] : [path, to]),
  );
  return { text: text.join("\n"), paths: [...paths] };
}

/** A command that only applies a patch: its start, up to the patch. */
const ONLY_PATCH =
  /^\s{0,20}(?:cd\s{1,9}("[^"\n]{1,500}"|'[^'\n]{1,500}'|[^\s"';&|]{1,500})\s{0,9}&&\s{0,9})?(?:apply_patch|applypatch)(?:\s{1,9}<<-?\s{0,9}["']?\w{1,60}["']?\s{0,9}\n|\s{1,9}["'])\s{0,9}$/;

/**
 * The files of a shell command that does nothing but apply a patch
 * (`apply_patch <<'EOF' …`, perhaps after `cd DIR &&`), else undefined.
 */
export function shellPatch(command: string): PatchFiles | undefined {
  const begin = command.indexOf(PATCH_BEGIN);
  if (begin < 0 || begin > 1200) return undefined;
  const start = ONLY_PATCH.exec(command.slice(0, begin));
  if (!start) return undefined;
  const end = command.indexOf(PATCH_END, begin);
  const after = end < 0 ? "" : command.slice(end + PATCH_END.length);
  if (!/^\s{0,50}["']?\s{0,50}\w{0,60}\s{0,50}$/.test(after)) return undefined;
  const files = patchFiles(command.slice(begin, end < 0 ? undefined : end));
  const folder = start[1]?.replace(/^["']|["']$/g, "");
  if (!files || folder === undefined) return files;
  return { text: files.text, paths: files.paths.map((p) => below(folder, p)) };
}

/** A path below a folder, unless it stands for itself. */
function below(folder: string | undefined, path: string): string {
  return folder === undefined || /^([/\\~]|[A-Za-z]:)/.test(path)
    ? path
    : `${folder}/${path}`;
}

/** `apply_patch` as a program, and the here-document that it reads. */
const APPLIES =
  /(?:^|[;&|\n({])\s{0,9}(?:cd\s{1,9}([^\s"';&|]{1,200})\s{0,9}&&\s{0,9})?(?:apply_patch|applypatch)\s{1,9}(?:<<-?\s{0,9}["']?\w{1,60}["']?[^\n]{0,200}\n|["'])\s{0,9}$/;

/** Files of the patches that a longer command applies, each once. */
export function patchesInside(command: string): string[] {
  const paths = new Set<string>();
  let from = 0;
  for (;;) {
    const begin = command.indexOf(PATCH_BEGIN, from);
    if (begin < 0) return [...paths];
    const end = command.indexOf(PATCH_END, begin);
    const upTo = end < 0 ? command.length : end;
    const start = APPLIES.exec(command.slice(Math.max(0, begin - 600), begin));
    const files = start ? patchFiles(command.slice(begin, upTo)) : undefined;
    for (const path of files?.paths ?? []) paths.add(below(start?.[1], path));
    from = upTo + 1;
  }
}

/** A command without the contents of the patches inside it. */
export function withoutPatchContents(command: string): string {
  if (!command.includes(PATCH_BEGIN)) return command;
  const kept: string[] = [];
  let inside = false;
  for (const line of lines(command)) {
    if (line.includes(PATCH_BEGIN)) inside = true;
    else if (line.startsWith(PATCH_END)) inside = false;
    else if (inside && !line.startsWith("*** ")) continue;
    kept.push(line);
  }
  return kept.join("\n");
}
