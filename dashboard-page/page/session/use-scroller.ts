/**
 * What scrolls around the page, whoever that is: the host's main region, a box
 * of ours, or the window.
 *
 * @module
 */
import { type RefObject, useLayoutEffect, useState } from "react";

/** The nearest ancestor that scrolls up and down, else the document's own. */
function scrollerOf(element: Element): HTMLElement {
  for (let e = element.parentElement; e; e = e.parentElement) {
    if (e === document.body || e === document.documentElement) break;
    if (/^(?:auto|scroll|overlay)$/.test(getComputedStyle(e).overflowY)) {
      return e;
    }
  }
  return document.documentElement;
}

/** Scroll and resize events of the document come from elsewhere than from its element. */
const isDocument = (element: Element) => element === document.documentElement;

/** Height and width of what is seen through a scroller, in px. */
export const viewOf = (element: HTMLElement) =>
  isDocument(element)
    ? { width: innerWidth, height: innerHeight }
    : { width: element.clientWidth, height: element.clientHeight };

/** Calls back at once and on every change of size; returns how to stop. */
export function onResize(element: HTMLElement, tell: () => void): () => void {
  tell();
  if (isDocument(element)) {
    addEventListener("resize", tell);
    return () => removeEventListener("resize", tell);
  }
  const observer = new ResizeObserver(tell);
  observer.observe(element);
  return () => observer.disconnect();
}

/** Calls back at once and while scrolling; returns how to stop. */
export function onScroll(
  element: HTMLElement,
  tell: (top: number, moving: boolean) => void,
): () => void {
  const target: EventTarget = isDocument(element) ? document : element;
  let rest: ReturnType<typeof setTimeout> | undefined;
  const still = () => tell(element.scrollTop, false);
  const moved = () => {
    tell(element.scrollTop, true);
    clearTimeout(rest);
    rest = setTimeout(still, 150);
  };
  still();
  target.addEventListener("scroll", moved, { passive: true });
  return () => {
    clearTimeout(rest);
    target.removeEventListener("scroll", moved);
  };
}

/** The scroller around an element, once it is there. */
export function useScroller(
  inside: RefObject<Element | null>,
): HTMLElement | null {
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  useLayoutEffect(() => {
    if (inside.current) setScroller(scrollerOf(inside.current));
  }, [inside]);
  return scroller;
}

/** Height and width of an element as painted, in px; 0 until it is. */
export function useSize(
  of: RefObject<HTMLElement | null>,
): { width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = of.current;
    if (!element) return;
    return onResize(element, () => {
      const { width, height } = element.getBoundingClientRect();
      setSize((was) =>
        was.width === width && was.height === height ? was : { width, height }
      );
    });
  }, [of]);
  return size;
}
