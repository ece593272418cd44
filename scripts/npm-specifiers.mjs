// Shared TypeScript is written for Deno (`npm:zod@4`); Node's tools resolve the
// same package from node_modules. One place maps the one to the other.

/** `npm:name@version/sub` -> `name/sub`. */
export function bareSpecifier(specifier) {
  return specifier.replace(
    /^npm:((?:@[^/@]+\/)?[^/@]+)(?:@[^/]+)?/,
    "$1",
  );
}

/** An alias for Vite and Vitest. */
export const viteAlias = [{
  find: /^npm:((?:@[^/@]+\/)?[^/@]+)(?:@[^/]+)?/,
  replacement: "$1",
}];

/** A plugin for esbuild. */
export const esbuildNpm = {
  name: "npm-specifiers",
  setup(build) {
    build.onResolve(
      { filter: /^npm:/ },
      (args) =>
        build.resolve(bareSpecifier(args.path), {
          resolveDir: args.resolveDir,
          kind: args.kind,
        }),
    );
  },
};
