import { storedCell } from "../store/stored-cell.ts";

const MOST = 30;

/** How high terminals are shown in this browser. */
export const terminalHeight = storedCell("terminal.height", 280);

/** Sessions whose terminals are shown. */
export const openDrawers = storedCell<readonly string[]>("terminal.open", []);

/** Where the focus was before a drawer took it. */
let before: Element | null = null;

/** Shows or hides the terminals of a session; hidden ones go on. The focus goes back to where it was. */
export function toggleDrawer(session: string, open = !openDrawers.get().includes(session)): void {
  if (open) before = document.activeElement;
  else if (before instanceof HTMLElement && before.isConnected) before.focus();
  openDrawers.update((list) => {
    const others = list.filter((other) => other !== session).slice(-MOST);
    return open ? [...others, session] : others;
  });
}
