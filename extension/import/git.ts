/**
 * What git's own files tell of a working directory, without running git.
 *
 * @module
 */
import { readdirSync, realpathSync, statSync } from "node:fs";
import {
  basename,
  dirname,
  isAbsolute,
  join,
  relative,
  resolve,
} from "node:path";
import { readSmall } from "../store/files.ts";

/** Files of git that are read are small; more than this is something else. */
const MAX_FILE = 256 * 1024;
/** Deepest folder whose repository is looked for. */
const MAX_DEPTH = 64;

/** The repository of a working directory. */
export interface GitPlace {
  /** Root of the working tree, resolved. */
  tree: string;
  /** Root of the main working tree; the same where it is not a linked one. */
  main: string;
  /** The shared git directory. */
  common: string;
}

function small(path: string): string | undefined {
  try {
    return readSmall(path, MAX_FILE);
  } catch {
    return undefined;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** The resolved path of a folder that exists. */
export function realFolder(path: string): string | undefined {
  // On Windows, looking at a share would go out to the network.
  if (/^(?:\\\\|\/\/)/.test(path)) return undefined;
  try {
    // As the disk spells it: letters may come in either case.
    const real = realpathSync.native(path);
    return isFolder(real) ? real : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Where a folder that is gone would be: the nearest that exists above it,
 * resolved, and the way down from there. Undefined where it exists, or where
 * nothing above it does but the root.
 */
export function goneFolder(
  path: string,
): { above: string; path: string } | undefined {
  if (!isAbsolute(path)) return undefined;
  const gone = resolve(path);
  let at = gone;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const above = dirname(at);
    if (above === dirname(above)) return undefined;
    const real = realFolder(above);
    if (real !== undefined) {
      return { above: real, path: join(real, relative(above, gone)) };
    }
    at = above;
  }
  return undefined;
}

/** The repository that holds an existing folder (resolved); undefined for none. */
export function gitPlace(folder: string): GitPlace | undefined {
  let tree = folder;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const git = join(tree, ".git");
    if (isFolder(git)) return { tree, main: tree, common: git };
    const link = small(git);
    if (link !== undefined) return linkedTree(tree, link);
    const parent = dirname(tree);
    if (parent === tree) return undefined;
    tree = parent;
  }
  return undefined;
}

/** A `.git` file: a linked working tree, or a submodule. */
function linkedTree(tree: string, link: string): GitPlace {
  const target = /^gitdir:\s*(.{1,4000}?)\s*$/m.exec(link)?.[1];
  const own = { tree, main: tree, common: join(tree, ".git") };
  if (!target) return own;
  const gitDir = resolve(tree, target);
  const shared = small(join(gitDir, "commondir"))?.trim();
  // A submodule has a git directory of its own: it is its own repository.
  if (!shared) return { ...own, common: gitDir };
  const common = realFolder(resolve(gitDir, shared)) ??
    resolve(gitDir, shared);
  return {
    tree,
    main: basename(common) === ".git" ? dirname(common) : tree,
    common,
  };
}

/** All working trees of a repository but the main one. */
export function linkedTrees(common: string): string[] {
  let names: string[];
  try {
    names = readdirSync(join(common, "worktrees"));
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    const link = small(join(common, "worktrees", name, "gitdir"))?.trim();
    return link ? [dirname(resolve(common, "worktrees", name, link))] : [];
  });
}

/** The URL of the remote `origin`, else of the first one. */
export function remoteUrl(common: string): string | undefined {
  const config = small(join(common, "config")) ?? "";
  let section = "", first: string | undefined;
  for (const line of config.split("\n")) {
    const head = /^\s*\[([^\]]{1,200})\]/.exec(line);
    if (head) {
      section = head[1]!;
      continue;
    }
    const url = /^\s*url\s*=\s*(\S{1,2000})/.exec(line)?.[1];
    if (!url || !section.startsWith("remote ")) continue;
    if (section === 'remote "origin"') return url;
    first ??= url;
  }
  return first;
}

/**
 * The folders whose sessions are this repository's: `repo` itself and the same
 * folder in every working tree of the git repository around it.
 */
export function repoRoots(repo: string): string[] {
  const real = realFolder(repo) ?? resolve(repo);
  const git = gitPlace(real);
  if (!git) return [real];
  const below = relative(git.tree, real);
  const trees = [git.tree, git.main, ...linkedTrees(git.common)];
  const roots = trees.flatMap((tree) => {
    const root = join(tree, below);
    // A tree that is gone keeps its name: sessions in it are still ours.
    return [root, realFolder(root) ?? root];
  });
  return [...new Set([real, resolve(repo), ...roots])];
}
