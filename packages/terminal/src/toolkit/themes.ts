import type { SelectListTheme } from "@earendil-works/pi-tui";
import type { Theme } from "../text/theme.ts";

/** How lists of the toolkit look. */
export function selectListTheme(theme: Theme): SelectListTheme {
  return {
    selectedPrefix: theme.cyan,
    selectedText: theme.cyan,
    description: theme.dim,
    scrollInfo: theme.dim,
    noMatch: theme.dim,
  };
}
