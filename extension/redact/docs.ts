/**
 * The rules as a page of documentation.
 *
 * @module
 */

/** The generated page: every rule, what it finds, and examples. */
export function redactionMarkdown(): string {
  return "# Redaction\n";
}
