/**
 * Views: a name for a state. A view is its URL; the ready-made ones are here,
 * a person's own are kept in the browser.
 *
 * @module
 */

/** A named state of the list. */
export interface SavedView {
  name: string;
  /** Its state, as the URL has it. */
  query: string;
}

/** Views that answer what people ask most. */
export const READY_VIEWS: readonly SavedView[] = [
  {
    name: "Mutating bypasses, 30 days",
    query: "label=mutating+bypass&last=30&sort=-bypass",
  },
  { name: "With high findings", query: "finding=high" },
  { name: "Failed and headless", query: "mode=headless&flag=failed+calls" },
  {
    name: "Most substantial, 7 days",
    query: "last=7&sort=-substance",
  },
  {
    name: "Record incomplete",
    query: "flag=damaged&flag=drift&flag=sourceGone&flag=tokens+partial&fold=0",
  },
];

const KEY = "swamp-agent-sessions-views";
const MOST = 50;

/** A person's own views; none where they cannot be read. */
export function ownViews(): SavedView[] {
  try {
    // Even to name the storage throws where a host forbids it.
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    if (!Array.isArray(value)) return [];
    return value.filter((v): v is SavedView =>
      typeof v === "object" && v !== null && typeof v.name === "string" &&
      typeof v.query === "string"
    ).slice(0, MOST);
  } catch {
    return [];
  }
}

/** Keeps views; a later one of the same name takes the place of the former. */
export function keepViews(views: readonly SavedView[]): void {
  const byName = new Map(views.map((v) => [v.name, v]));
  try {
    localStorage.setItem(
      KEY,
      JSON.stringify([...byName.values()].slice(-MOST)),
    );
  } catch {
    // A full or forbidden storage: the URL still holds the view.
  }
}
