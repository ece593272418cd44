/**
 * One look at a text: every pass, the most specific first.
 *
 * @module
 */
import type { ShellParse } from "../shell/types.ts";
import { findArguments } from "./argv.ts";
import { findBlocks } from "./blocks.ts";
import { findEntropy } from "./entropy.ts";
import { findNamed } from "./named.ts";
import { Findings } from "./spans.ts";
import { findStructure } from "./structure.ts";
import type { SecretSpan } from "./types.ts";
import { findVendorTokens } from "./vendors.ts";

/** Every vendor's token has so many characters in a row. */
const LONG_WORD = /[A-Za-z0-9_.+=%-]{16}/;

/** What the passes find in a text as it stands. */
export function scan(text: string, shell?: ShellParse): SecretSpan[] {
  if (text.length < 4) return [];
  const found = new Findings(text);
  findBlocks(found);
  // Most commands hold no word long enough to be a token.
  if (LONG_WORD.test(text)) findVendorTokens(found);
  findStructure(found);
  findNamed(found);
  findArguments(found, shell);
  findEntropy(found);
  return found.spans();
}
