/**
 * Keys of a view, and the sheet that lists them.
 *
 * @module
 */
import { useEffect, useRef } from "react";

/** What one key does; `event.key` is the map's key. */
export type KeyMap = Readonly<Record<string, (event: KeyboardEvent) => void>>;

const TEXT_FIELD =
  'input:not([type="checkbox"]):not([type="radio"]),select,textarea,[contenteditable]';

const OPEN_ABOVE = '.as [popover="auto"]:popover-open, .as dialog[open]';

/**
 * Listens for the keys of a view while it is shown. No key fires in a text
 * field (but Escape), with a modifier, while a popover or dialog is open, or
 * while the focus is in another part of the host.
 */
export function useKeys(keys: KeyMap): void {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey) return;
      if (event.altKey) return;
      const target = event.target instanceof Element
        ? event.target
        : document.body;
      if (target !== document.body && !target.closest(".as")) {
        // The main region around the page is still the page's.
        if (!target.querySelector(".as")) return;
      }
      // Not only where the focus is inside: it may have been lost to the body.
      if (document.querySelector(OPEN_ABOVE)) return;
      if (event.key !== "Escape" && target.matches(TEXT_FIELD)) return;
      const act = current.current[event.key];
      if (!act) return;
      event.preventDefault();
      act(event);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

/** A line of the sheet: what, and its keys. */
export type KeyLine = readonly [what: string, ...keys: string[]];

/** All keys, by where they work. */
export const KEY_SHEET: readonly (readonly [string, readonly KeyLine[]])[] = [
  ["List", [
    ["Next / previous row", "j", "k"],
    ["First / last row", "g", "G"],
    ["Open session", "Enter"],
    ["Search", "/"],
    ["Select for compare", "x"],
    ["Compare the selected two", "c"],
    ["Fold trivial", "t"],
    ["Filters", "f"],
    ["Dates", "d"],
  ]],
  ["Compare", [["Swap A and B", "s"]]],
  ["Everywhere", [
    ["Back to the list", "u"],
    ["Clear filter, close", "Esc"],
    ["This sheet", "?"],
  ]],
  ["Session", [
    ["Next / previous call", "j", "k"],
    ["Next / previous turn", "J", "K"],
    ["Open or close", "Enter"],
    ["Next / previous failure", "e", "E"],
    ["Next / previous bypass", "b", "B"],
    ["Next finding", "n"],
    ["Why this label", "l"],
    ["Only this turn’s time", "f"],
    ["Bars / wall clock", "w"],
    ["Open / close all turns", "o"],
    ["Previous / next session", "[", "]"],
  ]],
  ["Copy", [
    ["Copy command", "y"],
    ["Copy link to call", "Y"],
  ]],
];
