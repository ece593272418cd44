/**
 * CEL expressions, as far as this server answers them. The evaluator bounds an
 * expression's size but not its work, so what can grow without end is refused
 * and the rest is stopped by the clock.
 *
 * @module
 */
import { createContext, Script } from "node:vm";
import { type ASTNode, Environment } from "@marcbachmann/cel-js";
import { RequestError } from "./errors.ts";

/** Longest predicate and longest select, in characters. */
export const MAX_EXPRESSION = 4096;

/** Loops inside one another, and in one expression. */
const MAX_DEPTH = 2, MAX_LOOPS = 4;
/** Longest work on one item, in milliseconds. */
const MAX_ITEM_MS = 1000;

/** Macros that go through a list. */
const LOOPS: ReadonlySet<string> = new Set([
  "all",
  "exists",
  "exists_one",
  "filter",
  "map",
]);

/** What is refused everywhere, with what to do instead. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  // Backtracks: a pattern of ten characters can take for ever.
  ["matches", "use ==, startsWith, endsWith or contains"],
  ["bind", "write the value out"],
]);

/** What makes a value longer: a few rounds in a loop fill the memory. */
const GROWING: ReadonlySet<string> = new Set(["+", "join"]);

const environment = new Environment({
  unlistedVariablesAreDyn: true,
  homogeneousAggregateLiterals: false,
});

/** A compiled expression. */
export interface Expression {
  /** Its value for a row; throws what the evaluator throws. */
  run(row: object): unknown;
  /** Names that stand for variables. */
  names: ReadonlySet<string>;
  /** It goes through lists, so that the work on an item needs a bound. */
  loops: boolean;
}

/** Compiles; throws {@link RequestError} for what is refused or cannot be parsed. */
export function compile(expression: string, what: string): Expression {
  const refuse = (reason: string) =>
    new RequestError("data_query_failed", `${what}: ${reason}`);
  if (expression.length > MAX_EXPRESSION) {
    throw new RequestError(
      "invalid_request",
      `${what}: at most ${MAX_EXPRESSION} characters`,
    );
  }
  let parsed;
  try {
    parsed = environment.parse(expression);
  } catch (error) {
    const reason = error instanceof Error && "summary" in error
      ? String(error.summary)
      : "it cannot be parsed";
    throw refuse(reason);
  }
  const outline = new Outline();
  outline.look(parsed.ast, 0);
  if (outline.refused !== undefined) throw refuse(outline.refused);
  return {
    run: (row) => parsed(row as Record<string, unknown>),
    names: outline.names,
    loops: outline.loops > 0,
  };
}

/** What an expression consists of, and the first thing in it that is refused. */
class Outline {
  names = new Set<string>();
  loops = 0;
  refused: string | undefined;

  look(node: unknown, depth: number): void {
    if (Array.isArray(node)) {
      for (const part of node) this.look(part, depth);
      return;
    }
    if (typeof node !== "object" || node === null || !("op" in node)) return;
    const { op, args } = node as ASTNode;
    if (op === "id") {
      this.names.add(args as string);
      return;
    }
    const name = op === "call" || op === "rcall" ? String(args[0]) : op;
    const instead = REFUSED.get(name);
    if (instead !== undefined) {
      this.refused ??= `${name} is not answered here: ${instead}`;
    }
    if (depth > 0 && GROWING.has(name)) {
      this.refused ??= `${name} is not answered inside a loop: select a list`;
    }
    if (op === "rcall" && LOOPS.has(name)) {
      if (depth >= MAX_DEPTH || ++this.loops > MAX_LOOPS) {
        this.refused ??=
          `at most ${MAX_DEPTH} loops inside one another and ${MAX_LOOPS} in all`;
      }
      this.look(args[1], depth);
      this.look(args[2], depth + 1);
      return;
    }
    // A member's, function's or literal's name is a plain string: not a node.
    this.look(args, depth);
  }
}

const place = createContext({ work: undefined as unknown });
const start = new Script("work()");

/**
 * What `work` returns; throws {@link RequestError} where it takes longer than
 * `ms`. Only this way node stops work that does not come back by itself.
 */
export function within<T>(ms: number, work: () => T): T {
  place.work = work;
  try {
    return start.runInContext(place, {
      timeout: Math.max(1, Math.min(Math.floor(ms), MAX_ITEM_MS)),
    }) as T;
  } catch (error) {
    // An error of the other context is no instance of this one's Error.
    const code = (error as { code?: unknown } | null)?.code;
    throw code === "ERR_SCRIPT_EXECUTION_TIMEOUT"
      ? new RequestError("data_query_failed", "the query takes too long")
      : error;
  } finally {
    place.work = undefined;
  }
}
