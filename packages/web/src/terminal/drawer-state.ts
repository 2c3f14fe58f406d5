import { storedCell } from "../store/stored-cell.ts";

const MAX_SESSIONS = 30;

/** The height of the terminal panel in this browser. */
export const terminalHeight = storedCell("terminal.height", 280);

/** Sessions whose terminal drawer is open. */
export const openDrawers = storedCell<readonly string[]>("terminal.open", []);

/** The element that had the focus before a drawer took it. */
let previousFocus: Element | null = null;

/** Shows or hides the terminals of a session and restores the focus. Hidden terminals keep running. */
export function toggleDrawer(session: string, open = !openDrawers.get().includes(session)): void {
  if (open) previousFocus = document.activeElement;
  else if (previousFocus instanceof HTMLElement && previousFocus.isConnected) previousFocus.focus();
  openDrawers.update((list) => {
    const others = list.filter((other) => other !== session).slice(-MAX_SESSIONS);
    return open ? [...others, session] : others;
  });
}
