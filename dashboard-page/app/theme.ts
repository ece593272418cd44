/**
 * Light, dark, or as the system has it; kept where swamp's dashboard keeps it.
 *
 * @module
 */

/** The viewer's choice. */
export type Theme = "light" | "system" | "dark";

const KEY = "swamp-dashboard-theme";

/** The choice made before, `system` where there was none. */
export function storedTheme(): Theme {
  try {
    const value = localStorage.getItem(KEY);
    return value === "light" || value === "dark" ? value : "system";
  } catch {
    return "system"; // Storage may be forbidden.
  }
}

/** Shows and keeps a choice. */
export function applyTheme(theme: Theme): void {
  const root = document.documentElement;
  if (theme === "system") delete root.dataset.theme;
  else root.dataset.theme = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // It holds for this visit.
  }
}
