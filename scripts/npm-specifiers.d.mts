export function bareSpecifier(specifier: string): string;
export const viteAlias: { find: RegExp; replacement: string }[];
export const esbuildNpm: { name: string; setup(build: unknown): void };
