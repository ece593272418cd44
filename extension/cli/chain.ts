/**
 * Which programs named `swamp` a command line has been handed to so far, so
 * that a wrapper that starts this one again is not started without end.
 *
 * An environment variable carries it through whatever is started. The real
 * swamp inherits it too, and what that runs may call `swamp` again: such a call
 * is told from the same command coming back, and may go the same way again.
 *
 * @module
 */
import { createHash } from "node:crypto";

/** The variable. */
export const CHAIN_VARIABLE = "SWAMP_SESSIONS_CHAIN";

/** So deep inside each other is only what goes round in circles. */
const MAX_DEPTH = 16;

/** What led here. */
export interface Chain {
  /** The process that handed on. */
  pid: number;
  /** How many handed on, one inside the other. */
  depth: number;
  /** A hash of the arguments handed on. */
  args: string;
  /** Real paths of the programs that this command was handed to, and by. */
  passed: string[];
}

/** Where a command stands in a chain. */
export interface Passed {
  /** Real paths that this same command went through already. */
  paths: readonly string[];
  /**
   * Who started us is one of them for certain, as it took the place of the
   * process that we started; else the arguments alone say so, and the real
   * swamp may run its own command again.
   */
  certain: boolean;
  /** It went round too often to go on. */
  tooDeep: boolean;
}

type Env = Readonly<Record<string, string | undefined>>;

/** The chain in the environment; undefined for none, or what is no chain. */
function chainIn(env: Env): Chain | undefined {
  try {
    const value: unknown = JSON.parse(env[CHAIN_VARIABLE] ?? "");
    if (typeof value !== "object" || value === null) return undefined;
    const { pid, depth, args, passed } = value as Record<string, unknown>;
    return typeof pid === "number" && typeof depth === "number" &&
        typeof args === "string" && Array.isArray(passed)
      ? {
        pid,
        depth,
        args,
        passed: passed.filter((p) => typeof p === "string"),
      }
      : undefined;
  } catch {
    return undefined;
  }
}

const hashOf = (args: readonly string[]): string =>
  createHash("sha256").update(JSON.stringify(args)).digest("hex").slice(0, 16);

/** What is known of a command line that arrived from process `parent`. */
export function passedSoFar(
  env: Env,
  args: readonly string[],
  parent: number,
): Passed {
  const chain = chainIn(env);
  const certain = chain?.pid === parent;
  const same = certain || chain?.args === hashOf(args);
  return {
    paths: chain && same ? chain.passed : [],
    certain,
    tooDeep: (chain?.depth ?? 0) >= MAX_DEPTH,
  };
}

/** The environment for a program that process `pid` hands a command line to. */
export function withChain(
  env: Env,
  args: readonly string[],
  pid: number,
  passed: readonly string[],
): Record<string, string | undefined> {
  const chain: Chain = {
    pid,
    depth: (chainIn(env)?.depth ?? 0) + 1,
    args: hashOf(args),
    passed: [...new Set(passed)],
  };
  return { ...env, [CHAIN_VARIABLE]: JSON.stringify(chain) };
}
