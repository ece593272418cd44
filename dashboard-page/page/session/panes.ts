/**
 * Files, tests and tools of a session, with the calls behind each.
 *
 * @module
 */
import { type CallNode, lengthOf, type SessionModel } from "./model.ts";

/** What a patch says it does to a file; a call of one has a line a file. */
const PATCH_LINE = /^(?:Add|Update|Delete|Move) ([^\n]{1,1024})$/gm;

/** The paths that a call names: its argument, or the files of its patch. */
function pathsOf(text: string): Set<string> {
  const paths = new Set([text]);
  for (const [, rest = ""] of text.matchAll(PATCH_LINE)) {
    // A move names two; a path may itself hold " to ".
    for (const path of [rest, ...rest.split(" to ")]) paths.add(path);
  }
  return paths;
}

/** A file, and the calls whose argument it is. */
export interface FileLine {
  path: string;
  calls: CallNode[];
}

/** Files written, and files only read. */
export function fileLines(
  model: SessionModel,
): { written: FileLine[]; read: FileLine[] } {
  const byText = new Map<string, CallNode[]>();
  for (const node of model.calls) {
    for (const path of pathsOf(node.call.text)) {
      const list = byText.get(path);
      if (list) list.push(node);
      else byText.set(path, [node]);
    }
  }
  const line = (path: string): FileLine => ({
    path,
    calls: byText.get(path) ?? [],
  });
  const { written, read } = model.detail.files;
  return { written: written.map(line), read: read.map(line) };
}

/** A test run. */
export interface TestLine {
  passed: boolean | null;
  node: CallNode | undefined;
}

/** Test runs in order. */
export const testLines = (model: SessionModel): TestLine[] =>
  model.detail.tests.map((t) => ({
    passed: t.passed,
    node: model.byId.get(t.call),
  }));

/** A tool and what its calls were like. */
export interface ToolLine {
  name: string;
  count: number;
  failed: number;
  /** Median length in ms; undefined where no call has an end. */
  median: number | undefined;
  /** All lengths together in ms. */
  total: number;
}

/** Tools, most used first. */
export function toolLines(model: SessionModel): ToolLine[] {
  const byTool = new Map<string, CallNode[]>();
  for (const node of model.calls) {
    const list = byTool.get(node.call.tool);
    if (list) list.push(node);
    else byTool.set(node.call.tool, [node]);
  }
  return model.detail.tools.map(({ name, count }) => {
    const nodes = byTool.get(name) ?? [];
    const lengths = nodes.map(lengthOf).filter((ms) => ms !== undefined)
      .sort((a, b) => a - b);
    return {
      name,
      count,
      failed: nodes.filter((n) => n.call.state === "failed").length,
      median: lengths[lengths.length >> 1],
      total: lengths.reduce((sum, ms) => sum + ms, 0),
    };
  });
}
