/**
 * Redaction: text in, the same text without its secrets out.
 *
 * @module
 */
export {
  findSecrets,
  redact,
  redactAndCut,
  REDACTION_VERSION,
} from "./redact.ts";
export type { Redacted, RedactedCut, SecretSpan } from "./spans.ts";
