/**
 * The part of vitest's interface that the core tests use, over `Deno.test` and
 * vitest's own `expect`, so that one suite runs in both runtimes.
 *
 * @module
 */
import {
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
} from "@vitest/expect";
import * as chai from "chai";
import "../seed.ts";

declare const Deno: {
  test(options: {
    name: string;
    ignore: boolean;
    sanitizeOps: boolean;
    sanitizeResources: boolean;
    sanitizeExit: boolean;
    fn: () => Promise<void>;
  }): void;
};

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);

type Body = () => void | Promise<void>;
type Cases<T> = (name: string, body: (...args: T[]) => unknown) => void;

interface TestFunction {
  (name: string, body: Body, timeout?: number): void;
  each<T>(rows: readonly T[]): Cases<T>;
  skipIf(condition: unknown): TestFunction;
  runIf(condition: unknown): TestFunction;
  skip: (name: string, body?: Body) => void;
}

/** vitest's expect. */
export const expect = Object.assign(
  (value: unknown, message?: string) => chai.expect(value, message),
  chai.expect,
) as unknown as typeof chai.expect;

interface Frame {
  name: string;
  before: Body[];
  after: Body[];
  beforeAll: Body[];
  afterAll: Body[];
  started: boolean;
  left: number;
}

const root: Frame = frame("");
let stack: Frame[] = [root];

function frame(name: string): Frame {
  return {
    name,
    before: [],
    after: [],
    beforeAll: [],
    afterAll: [],
    started: false,
    left: 0,
  };
}

/** Groups tests under a name. */
export const describe = Object.assign(
  (name: string, body: () => void): void => {
    stack = [...stack, frame(name)];
    try {
      body();
    } finally {
      stack = stack.slice(0, -1);
    }
  },
  {
    skipIf: (condition: unknown) =>
      condition ? (_name: string, _body: () => void): void => {} : describe,
    each: <T>(rows: readonly T[]) => (name: string, body: (row: T) => void) => {
      rows.forEach((row, i) => describe(titled(name, row, i), () => body(row)));
    },
  },
) as {
  (name: string, body: () => void): void;
  skipIf(condition: unknown): (name: string, body: () => void) => void;
  each<T>(
    rows: readonly T[],
  ): (name: string, body: (row: T) => void) => void;
};

function titled(name: string, row: unknown, index: number): string {
  const values = Array.isArray(row) ? row : [row];
  let used = 0;
  const text = name.replace(/%[sdijo]/g, () => {
    const value = values[used++];
    return typeof value === "string" ? value : JSON.stringify(value) ?? "";
  }).replace(/%#/g, String(index)).replace(
    /\$([\w.]+)/g,
    (_, key: string) =>
      String((row as Record<string, unknown>)?.[key.split(".")[0] ?? ""] ?? ""),
  );
  return `${text} #${index}`;
}

function register(name: string, body: Body, ignore: boolean): void {
  const frames = stack;
  for (const f of frames) if (!ignore) f.left++;
  Deno.test({
    name: [...frames.map((f) => f.name), name].filter(Boolean).join(" > "),
    ignore,
    sanitizeOps: false,
    sanitizeResources: false,
    sanitizeExit: false,
    fn: async () => {
      for (const f of frames) {
        if (!f.started) {
          f.started = true;
          for (const hook of f.beforeAll) await hook();
        }
      }
      for (const f of frames) for (const hook of f.before) await hook();
      try {
        await body();
      } finally {
        for (const f of [...frames].reverse()) {
          for (const hook of f.after) await hook();
        }
        for (const f of [...frames].reverse()) {
          if (--f.left === 0) { for (const hook of f.afterAll) await hook(); }
        }
      }
    },
  });
}

function make(ignore: boolean): TestFunction {
  const fn = (name: string, body: Body) => register(name, body, ignore);
  return Object.assign(fn, {
    each: <T>(rows: readonly T[]): Cases<T> => (name, body) => {
      rows.forEach((row, i) =>
        register(titled(name, row, i), async () => {
          await (Array.isArray(row) ? body(...row) : body(row));
        }, ignore)
      );
    },
    skipIf: (condition: unknown) => make(ignore || Boolean(condition)),
    runIf: (condition: unknown) => make(ignore || !condition),
    skip: (name: string) => register(name, () => {}, true),
  });
}

/** One test. */
export const it: TestFunction = make(false);
/** One test. */
export const test: TestFunction = it;

const here = () => stack[stack.length - 1] ?? root;

/** Before each test of the group. */
export const beforeEach = (hook: Body): void => void here().before.push(hook);
/** After each test of the group. */
export const afterEach = (hook: Body): void => void here().after.push(hook);
/** Before the group's first test. */
export const beforeAll = (hook: Body): void => void here().beforeAll.push(hook);
/** After the group's last test. */
export const afterAll = (hook: Body): void => void here().afterAll.push(hook);
