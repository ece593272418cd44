/**
 * Lines of a stream of bytes, one at a time.
 *
 * @module
 */

/** Longest line that is read, in characters. */
export const MAX_INPUT_LINE = 16 * 1024 * 1024;

/**
 * Lines in order, without their line feeds; `undefined` for one above
 * {@link MAX_INPUT_LINE}. A last line need not end with a line feed.
 */
export async function* linesOf(
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<string | undefined> {
  const decoder = new TextDecoder();
  let parts: string[] = [], length = 0, skipping = false;
  const add = (text: string) => {
    length += text.length;
    if (length > MAX_INPUT_LINE) {
      skipping = true;
      parts = [];
    } else if (!skipping && text !== "") parts.push(text);
  };
  const take = (): string | undefined => {
    const line = skipping ? undefined : parts.join("").replace(/\r$/, "");
    parts = [];
    length = 0;
    skipping = false;
    return line;
  };
  for await (const chunk of source) {
    const text = decoder.decode(chunk, { stream: true });
    let from = 0;
    for (;;) {
      const at = text.indexOf("\n", from);
      if (at < 0) break;
      add(text.slice(from, at));
      yield take();
      from = at + 1;
    }
    add(text.slice(from));
  }
  add(decoder.decode());
  if (length > 0) yield take();
}
