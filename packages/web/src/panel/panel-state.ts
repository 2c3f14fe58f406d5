import { Cell } from "../store/cell.ts";
import { storedCell } from "../store/stored-cell.ts";

const MAX_SESSIONS = 50;

type Panel = { open: boolean; tab: string };

/** The width of the panel in this browser. Without a choice it follows the window. */
export const panelWidth = storedCell("panel.width", Math.round(Math.min(Math.max(innerWidth * 0.38, 480), 960)));

/** The panels by session, most recently changed last. */
const panels = storedCell<Readonly<Record<string, Panel>>>("panel.sessions", {});

/** The tab that was shown last in any session. A session without a choice shows it. */
const lastTab = storedCell("panel.tab", "changes");

/** The tab that may take the focus, because the user opened it. A page that loads with an open panel has none. */
export const focusedTab = new Cell<{ session: string; tab: string } | undefined>(undefined);

/** The element that had the focus before a panel took it. */
let previousFocus: Element | null = null;

export const panelCells = { panels, lastTab };

export function panelOf(session: string): Panel {
  return panels.get()[session] ?? { open: false, tab: lastTab.get() };
}

/** Shows a tab of a session's panel. Its view may take the focus, unless the user moves through the tabs by keyboard. */
export function showTab(session: string, tab: string, { focus = true } = {}): void {
  if (!panelOf(session).open) previousFocus = document.activeElement;
  focusedTab.set(focus ? { session, tab } : undefined);
  lastTab.set(tab);
  setPanel(session, { open: true, tab });
}

/** Hides the panel and returns the focus. Terminals and previews continue. */
export function closePanel(session: string): void {
  setPanel(session, { ...panelOf(session), open: false });
  if (previousFocus instanceof HTMLElement && previousFocus.isConnected) previousFocus.focus();
  previousFocus = null;
}

/** Shows or hides the panel. With a tab, hides it only if that tab is shown. */
export function togglePanel(session: string, tab?: string): void {
  const { open, tab: shown } = panelOf(session);
  if (open && (tab === undefined || tab === shown)) closePanel(session);
  else showTab(session, tab ?? shown);
}

function setPanel(session: string, panel: Panel): void {
  panels.update(({ [session]: _, ...others }) =>
    Object.fromEntries([...Object.entries(others).slice(-MAX_SESSIONS), [session, panel]]),
  );
}
