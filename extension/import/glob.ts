/**
 * Globs over paths: `*` and `?` within a part, `**` over parts, `{a,b}`.
 * Our own, because a glob may come from a workflow's arguments, and the usual
 * libraries compile it to one expression that a hostile glob makes hang.
 *
 * @module
 */

/** Longest glob, and most alternatives that braces may make of it. */
const MAX_LENGTH = 400, MAX_ALTERNATIVES = 64;

function alternatives(glob: string): string[] {
  let open = [glob];
  for (let round = 0; round < 8; round++) {
    const next = open.flatMap((g) => {
      const braces = /\{([^{}]{0,200})\}/.exec(g);
      if (!braces) return [g];
      const before = g.slice(0, braces.index);
      const after = g.slice(braces.index + braces[0].length);
      return braces[1]!.split(",").map((part) => before + part + after);
    }).slice(0, MAX_ALTERNATIVES);
    if (next.length === open.length) return next;
    open = next;
  }
  return open;
}

function part(glob: string): RegExp {
  return new RegExp(
    "^" +
      glob.replace(/\*+/g, "*").replace(/[.+^$()|[\]\\{}]/g, "\\$&")
        .replaceAll("*", ".*").replaceAll("?", ".") +
      "$",
    "s",
  );
}

function matches(
  globs: readonly (RegExp | "**")[],
  parts: readonly string[],
): boolean {
  // reached[i]: the globs so far can have used the first i parts.
  let reached = [true, ...parts.map(() => false)];
  for (const glob of globs) {
    const next = reached.map(() => false);
    for (const [i, here] of reached.entries()) {
      if (!here) continue;
      if (glob === "**") next.fill(true, i);
      else if (i < parts.length && glob.test(parts[i]!)) next[i + 1] = true;
    }
    reached = next;
  }
  return reached[parts.length] === true;
}

const partsOf = (path: string) =>
  path.replaceAll("\\", "/").split("/").filter((p) => p !== "" && p !== ".");

/**
 * Whether a path matches a glob. A glob without a slash matches any one part;
 * one with a slash matches the path from its start, or below what it matches.
 */
export function globMatcher(glob: string): (path: string) => boolean {
  const compiled = alternatives(glob.slice(0, MAX_LENGTH)).map((g) => {
    const parts = partsOf(g);
    const anchored = g.includes("/");
    return [
      ...(anchored ? [] : ["**" as const]),
      ...parts.map((p) => (p === "**" ? "**" as const : part(p))),
      "**" as const,
    ];
  });
  return (path) => {
    const parts = partsOf(path);
    return compiled.some((globs) => matches(globs, parts));
  };
}
