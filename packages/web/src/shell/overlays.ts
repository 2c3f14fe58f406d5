import { Cell } from "../store/cell.ts";
import { preferences, setPreference } from "../store/preferences.ts";

/** What lies over the view now. */
export type Overlay = "palette" | "shortcuts" | "drawer" | undefined;

export const overlay = new Cell<Overlay>(undefined);

/** Opens an overlay, or closes it when it is open. */
export function toggleOverlay(which: NonNullable<Overlay>): void {
  overlay.update((now) => (now === which ? undefined : which));
}

export function closeOverlay(): void {
  overlay.set(undefined);
}

export function toggleSidebar(): void {
  setPreference("sidebar", !preferences.get().sidebar);
}
