/**
 * Which repository a session worked in: by git's files where its folder still
 * exists, or one above it that is a repository's; else by the shape of its
 * path, else by the remote it recorded.
 *
 * @module
 */
import { homedir } from "node:os";
import {
  gitPlace,
  goneFolder,
  linkedTrees,
  realFolder,
  remoteUrl,
} from "./git.ts";
import { foldHome, inside, lastPart, normalPath } from "./paths.ts";
import type { PathBase } from "./text.ts";

/** A repository, as worked out; nothing here is redacted yet. */
export interface RepoPlace {
  /** Its name; "" where nothing tells. */
  name: string;
  /** Its remote without credentials. */
  remote?: string;
  /** Root of the working tree, normalised; undefined where nothing tells. */
  root?: string;
  /** The working directory, normalised. */
  cwd?: string;
}

/** A path shape of working trees; `repo` and `root` are its groups. */
interface TreeShape {
  pattern: RegExp;
  examples: { path: string; repo: string; root: string }[];
}

/**
 * Where tools put working trees. The named group `repo` is the repository's
 * name, `root` the tree's root. A row's examples are its tests.
 */
export const TREE_SHAPES: readonly TreeShape[] = [
  {
    pattern:
      /^(?<root>.*\/(?<repo>[^/]+)\/\.(?:worktrees|claude\/worktrees|git\/worktrees|trees|wt)\/[^/]+)(?:\/|$)/,
    examples: [
      {
        path: "/home/u/app/.worktrees/fix/src",
        repo: "app",
        root: "/home/u/app/.worktrees/fix",
      },
      {
        path: "/home/u/app/.claude/worktrees/blue-fox",
        repo: "app",
        root: "/home/u/app/.claude/worktrees/blue-fox",
      },
    ],
  },
  {
    pattern: /^(?<root>.*\/\.codex\/worktrees\/[^/]+\/(?<repo>[^/]+))(?:\/|$)/,
    examples: [{
      path: "/home/u/.codex/worktrees/1a2b/app/src",
      repo: "app",
      root: "/home/u/.codex/worktrees/1a2b/app",
    }],
  },
  {
    pattern:
      /^(?<root>.*\/(?:\.cursor\/worktrees|\.superset\/worktrees|conductor\/workspaces|\.conductor)\/(?<repo>[^/]+)\/[^/]+)(?:\/|$)/,
    examples: [
      {
        path: "/Users/u/conductor/workspaces/app/lima/src",
        repo: "app",
        root: "/Users/u/conductor/workspaces/app/lima",
      },
      {
        path: "/home/u/.cursor/worktrees/app/x1",
        repo: "app",
        root: "/home/u/.cursor/worktrees/app/x1",
      },
    ],
  },
  {
    pattern: /^(?<root>.*\/(?<repo>[^/]+?)[-_.]worktrees\/[^/]+)(?:\/|$)/,
    examples: [{
      path: "/home/u/app-worktrees/fix",
      repo: "app",
      root: "/home/u/app-worktrees/fix",
    }],
  },
];

/** A remote without user, password, query and fragment. */
export function cleanRemote(url: string): string {
  const bare = url.trim().replace(/[?#].*$/s, "");
  const scheme = /^([a-z][a-z0-9+.-]{0,20}:\/\/)(?:[^/@]*@)*(.*)$/is.exec(bare);
  if (scheme) return scheme[1]! + scheme[2]!;
  // user@host:path, the form of scp.
  return foldHome(bare.replace(/^[^/\\:]*@/, ""));
}

/** The repository's name at the end of a remote; "" where there is none. */
export function remoteName(remote: string): string {
  return /([^/:\\]+?)(?:\.git)?\/*$/.exec(remote)?.[1] ?? "";
}

/** The working tree that the shape of a path tells. */
function shapeOf(path: string): { name: string; root: string } | undefined {
  for (const { pattern } of TREE_SHAPES) {
    const groups = pattern.exec(path)?.groups;
    if (groups?.root && groups.repo) {
      return { name: groups.repo, root: groups.root };
    }
  }
  return undefined;
}

/**
 * Whether a folder is somebody's home or above one. With a repository there
 * (of dotfiles, mostly) not all that ever lay below was its own.
 */
function isHome(folder: string): boolean {
  return foldHome(folder) === "~" ||
    /^(?:[A-Za-z]:)?\/(?:home|Users)?$/.test(folder) ||
    inside(folder, normalPath(homedir())) !== undefined;
}

/**
 * The repository around a folder that is gone: of the nearest folder above it
 * that is there. Not where the session's own evidence tells of another.
 */
function aroundGone(
  cwd: string,
  recorded: string | undefined,
): RepoPlace | undefined {
  const gone = goneFolder(cwd);
  const git = gone && gitPlace(gone.above);
  if (!gone || !git) return undefined;
  const tree = normalPath(git.tree), path = normalPath(gone.path);
  if (isHome(tree)) return undefined;
  const name = lastPart(git.main), shape = shapeOf(path);
  if (shape && shape.name !== name) return undefined;
  const url = remoteUrl(git.common);
  const remote = url ? cleanRemote(url) : undefined;
  if (
    recorded && remoteName(recorded) !== (remote ? remoteName(remote) : name)
  ) {
    return undefined;
  }
  // A working tree below the main one that is gone, but still noted by git.
  const linked = linkedTrees(git.common).map(normalPath)
    .find((one) => inside(one, path) !== undefined);
  return {
    name,
    ...(remote ?? recorded ? { remote: remote ?? recorded } : {}),
    root: linked ?? shape?.root ?? tree,
    cwd: path,
  };
}

/**
 * Works out a session's repository. `look` false keeps it from looking at the
 * disk: then only the record's evidence counts.
 */
export function repoPlace(
  cwd: string | undefined,
  remote: string | undefined,
  look = true,
): RepoPlace {
  const recorded = remote ? cleanRemote(remote) : undefined;
  const evidence = recorded ? { remote: recorded } : {};
  if (!cwd) return { name: recorded ? remoteName(recorded) : "", ...evidence };
  const path = normalPath(cwd);
  const real = look ? realFolder(cwd) : undefined;
  const git = real === undefined ? undefined : gitPlace(real);
  if (real !== undefined && git) {
    const found = remoteUrl(git.common);
    return {
      name: lastPart(git.main),
      ...(found ? { remote: cleanRemote(found) } : evidence),
      root: normalPath(git.tree),
      cwd: normalPath(real),
    };
  }
  const around = look && real === undefined
    ? aroundGone(cwd, recorded)
    : undefined;
  if (around) return around;
  const shape = shapeOf(path);
  if (shape) return { ...shape, ...evidence, cwd: path };
  const name = recorded ? remoteName(recorded) : "";
  if (name) {
    const parts = path.split("/");
    const at = parts.lastIndexOf(name);
    const root = at > 0 ? parts.slice(0, at + 1).join("/") : path;
    return { name, ...evidence, root, cwd: path };
  }
  // The home directory itself would give away its owner's name.
  const folded = foldHome(path);
  return {
    name: folded === "~" ? "~" : lastPart(path),
    ...evidence,
    root: path,
    cwd: path,
  };
}

/** Works out repositories, remembering what it found for each folder. */
export class RepoFinder {
  #known = new Map<string, RepoPlace>();

  /** See {@link repoPlace}. */
  find(cwd: string | undefined, remote: string | undefined): RepoPlace {
    const key = JSON.stringify([cwd, remote]);
    let place = this.#known.get(key);
    if (!place) this.#known.set(key, place = repoPlace(cwd, remote));
    return place;
  }
}

/** What a session's paths are relative to. */
export function pathBase(place: RepoPlace, cwd: string | undefined): PathBase {
  if (!cwd || !place.root || !place.cwd) return { roots: [] };
  const said = normalPath(cwd);
  // A link may lead to the folder: paths in the record go by what it said.
  const below = inside(place.root, place.cwd) ?? "";
  const root = below === ""
    ? said
    : said.endsWith(`/${below}`)
    ? said.slice(0, -below.length - 1)
    : place.root;
  return { cwd: said, roots: [...new Set([root, place.root])] };
}

/** The working directory relative to its repository's root; undefined at the root. */
export function cwdInRepo(place: RepoPlace): string | undefined {
  if (!place.cwd || !place.root) return undefined;
  const below = inside(place.root, place.cwd);
  return below === undefined ? foldHome(place.cwd) : below || undefined;
}
