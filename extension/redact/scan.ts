/**
 * One look at a text: every pass, the most specific first.
 *
 * @module
 */
import type { ShellParse } from "../shell/types.ts";
import { findBlocks } from "./blocks.ts";
import { findEntropy } from "./entropy.ts";
import { findNamed } from "./named.ts";
import { Findings } from "./spans.ts";
import { findStructure } from "./structure.ts";
import type { SecretSpan } from "./types.ts";
import { findVendorTokens } from "./vendors.ts";

/** What the passes find in a text as it stands. */
export function scan(text: string, _shell?: ShellParse): SecretSpan[] {
  if (text.length < 4) return [];
  const found = new Findings(text);
  findBlocks(found);
  findVendorTokens(found);
  findStructure(found);
  findNamed(found);
  findEntropy(found);
  return found.spans();
}
