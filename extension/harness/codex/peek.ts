/**
 * Most bytes of a rollout are of records of which only the beginning matters:
 * reasoning, texts put into the user's role, and what programs printed. This
 * reads those without decoding all of it. What it gives is what reading the
 * whole record would come to; wherever that is not certain it gives nothing.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { JsonObject } from "../lines.ts";

/** Shorter lines are read faster whole, in bytes. */
const MIN_LINE = 1024;
/** As much of an output as is looked at, in bytes. */
const HEAD = 1024;
const TAIL = 200;

const QUIET =
  /^\{"timestamp":"([^"\\]{20,40})",(?:"ordinal":(\d{1,15}),)?"type":"response_item","payload":\{"type":"(reasoning|message)",(?:"id":"[^"\\]{0,100}",)?(?:"role":"(user|developer)",)?/;
const RESULT =
  /^\{"timestamp":"([^"\\]{20,40})",(?:"ordinal":(\d{1,15}),)?"type":"response_item","payload":\{"type":"((?:function|custom_tool)_call_output)",(?:"id":"[^"\\]{0,100}",)?"call_id":"([^"\\]{1,200})","output":"/;
/** A command's header, by its first line. */
const HEADER =
  /^(?:Chunk ID: |Wall time: |Exit code: |Process exited |Process running )/;
/** The end of a result that is JSON itself, as it stands in the record. */
const METADATA =
  /,\\"metadata\\":\{\\"exit_code\\":(-?\d{1,10}),\\"duration_seconds\\":[\d.e+-]{1,30}\}\}"\}\}$/;

/** Whether the line is one whole object, as far as its bytes show. */
function isWhole(line: Buffer): boolean {
  const end = line.length;
  if (line[end - 1] !== 0x7d || line[end - 2] !== 0x7d) return false;
  // Deno searches bytes forty times slower than text.
  const text = line.toString("latin1");
  return !text.includes("\0") && !text.includes('}{"timestamp":');
}

function record(
  [, timestamp, ordinal]: RegExpExecArray,
  payload: JsonObject,
): JsonObject {
  return {
    timestamp,
    ...(ordinal === undefined ? {} : { ordinal: Number(ordinal) }),
    type: "response_item",
    payload,
  };
}

/**
 * The record of a line, shortened; undefined where it must be read whole.
 * `headIsEnough` tells whether the header of a call's output decides all.
 */
export function shortRecord(
  bytes: Uint8Array,
  headIsEnough: (call: string) => boolean,
): JsonObject | undefined {
  if (bytes.length < MIN_LINE) return undefined;
  const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const start = line.toString("latin1", 0, 480);
  const quiet = QUIET.exec(start);
  if (quiet) {
    const [, , , type, role] = quiet;
    if (type === "message" && role === undefined) return undefined;
    if (!isWhole(line)) return undefined;
    return record(quiet, role === undefined ? { type } : { type, role });
  }
  const result = RESULT.exec(start);
  if (!result || !headIsEnough(result[4] ?? "") || !isWhole(line)) {
    return undefined;
  }
  const output = outputHead(line, result[0].length);
  if (output === undefined) return undefined;
  return record(result, { type: result[3], call_id: result[4], output });
}

/** The beginning of the output that starts at `from`, where that is enough. */
function outputHead(line: Buffer, from: number): string | undefined {
  const to = from + HEAD;
  if (to >= line.length) return undefined;
  const raw = line.toString("utf8", from, to);
  if (raw.startsWith('{\\"output\\":')) {
    const end = METADATA.exec(
      line.toString("latin1", line.length - TAIL, line.length),
    );
    return end?.[1] === undefined
      ? undefined
      : `{"output":"","metadata":{"exit_code":${end[1]}}}`;
  }
  if (!HEADER.test(raw)) return undefined;
  // Up to a line's end: the cut is then inside no escape.
  const cut = raw.lastIndexOf("\\n");
  if (cut <= 0 || raw[cut - 1] === "\\") return undefined;
  try {
    const text: unknown = JSON.parse(`"${raw.slice(0, cut)}\\n"`);
    // The header must end within what was read.
    const end = typeof text === "string" ? text.indexOf("\nOutput:\n") : -1;
    return end < 0 ? undefined : String(text).slice(0, end + 9);
  } catch {
    // The output ended before: nothing is gained.
    return undefined;
  }
}
