/**
 * One look at a text: every pass, the most specific first.
 *
 * @module
 */
import type { ShellParse } from "../shell/types.ts";
import { findVendorTokens } from "./vendors.ts";
import { Findings } from "./spans.ts";
import type { SecretSpan } from "./types.ts";

/** What the passes find in a text as it stands. */
export function scan(text: string, _shell?: ShellParse): SecretSpan[] {
  if (text.length < 4) return [];
  const found = new Findings(text);
  findVendorTokens(found);
  return found.spans();
}
