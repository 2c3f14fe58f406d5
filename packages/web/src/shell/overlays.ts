import { Cell } from "../store/cell.ts";
import { preferences, setPreference } from "../store/preferences.ts";

/** What covers the view. Only one overlay is open at a time. */
export type Overlay = "palette" | "shortcuts" | "drawer" | undefined;

export const overlay = new Cell<Overlay>(undefined);

/** Opens an overlay, or closes it if it is open. */
export function toggleOverlay(which: NonNullable<Overlay>): void {
  overlay.update((now) => (now === which ? undefined : which));
}

export function closeOverlay(): void {
  overlay.set(undefined);
}

export function toggleSidebar(): void {
  setPreference("sidebar", !preferences.get().sidebar);
}
