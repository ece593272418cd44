/**
 * How much room there is, by the width of the page's own box: the host may
 * have any sidebar, so the window's width says nothing.
 *
 * @module
 */
import { type RefObject, useLayoutEffect, useState } from "react";

/** How much room there is, by the container's width; as in the style sheets. */
export type Room = "wide" | "middle" | "small" | "narrow";

/** The room that a width in px gives. */
function roomOf(width: number): Room {
  return width > 1140
    ? "wide"
    : width > 900
    ? "middle"
    : width > 640
    ? "small"
    : "narrow";
}

/** A sidebar and a border, or neither: only a guess, until it is measured. */
const guess = () => roomOf(innerWidth - (innerWidth > 760 ? 260 : 24));

/** The room in an element. */
export function useRoom(ref: RefObject<HTMLElement | null>): Room {
  const [room, setRoom] = useState(guess);
  useLayoutEffect(() => {
    const el = ref.current;
    if (!el) return;
    // Tells at once, after the layout that is due anyway: nothing is forced.
    const observer = new ResizeObserver(([entry]) => {
      if (entry?.contentRect.width) setRoom(roomOf(entry.contentRect.width));
    });
    observer.observe(el);
    return () => observer.disconnect();
  }, [ref]);
  return room;
}
