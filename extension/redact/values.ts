/**
 * What a value looks like: a secret, a stand-in for one, a reference, code.
 *
 * @module
 */

const PLACEHOLDER_TOKEN =
  /^(.)\1{5,}|x{6,}|X{6,}|\*{3,}|\.{3}|example|your[-_]|placeholder|redacted/i;

/** Whether what follows a vendor's prefix is a stand-in: `xxxx…`, `EXAMPLE`. */
export function isPlaceholderToken(body: string): boolean {
  return PLACEHOLDER_TOKEN.test(body);
}
