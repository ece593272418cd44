/**
 * The width of the page's own box: the host may have any sidebar, so the
 * window's width says nothing.
 *
 * @module
 */
import { type RefObject, useLayoutEffect, useState } from "react";

/** The element's inner width in px; `first` until it is measured. */
export function useWidth(
  ref: RefObject<HTMLElement | null>,
  first = 1200,
): number {
  const [width, setWidth] = useState(first);
  useLayoutEffect(() => {
    const el = ref.current;
    if (!el) return;
    const box = el.getBoundingClientRect();
    if (box.width) setWidth(box.width);
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setWidth(entry.contentRect.width);
    });
    observer.observe(el);
    return () => observer.disconnect();
  }, [ref]);
  return width;
}
