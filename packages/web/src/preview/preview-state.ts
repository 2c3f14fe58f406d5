import { storedCell } from "../store/stored-cell.ts";
import { isSameServer } from "./address.ts";

/** The width of the site in pixels; `full` uses the panel's width. */
export const DEVICES = { phone: 390, tablet: 820, full: undefined } as const;
export type Device = keyof typeof DEVICES;

/** The preview layout in this browser. */
export const previewLayout = storedCell<{ device: Device; logs: boolean }>("preview.look", {
  device: "full",
  logs: false,
});

const MAX_SESSIONS = 30;
const MAX_TABS = 8;

/** The open previews of a session by their dev servers. Without `shown`, the page asks for another one. */
export type PreviewTabs = { targets: readonly string[]; shown?: string };

/** The previews of each session; most recently used last. */
export const previewTabs = storedCell<Readonly<Record<string, PreviewTabs>>>("preview.tabs", {});

export const NO_TABS: PreviewTabs = { targets: [] };

/** Shows a dev server in its tab, or in a new one. */
export function showPreview(session: string, target: string): void {
  changeTabs(session, ({ targets }) => {
    const known = targets.some((other) => isSameServer(other, target));
    const next = known
      ? targets.map((other) => (isSameServer(other, target) ? target : other))
      : [...targets.slice(1 - MAX_TABS), target];
    return { targets: next, shown: target };
  });
}

/** Shows a tab that is open; without a target, the form for another dev server. */
export function choosePreview(session: string, target: string | undefined): void {
  changeTabs(session, ({ targets }) => ({ targets, ...(target === undefined ? {} : { shown: target }) }));
}

export function removePreview(session: string, target: string): void {
  changeTabs(session, ({ targets, shown }) => {
    const rest = targets.filter((other) => other !== target);
    const next = shown === target ? rest.at(-1) : shown;
    return { targets: rest, ...(next === undefined ? {} : { shown: next }) };
  });
}

function changeTabs(session: string, change: (tabs: PreviewTabs) => PreviewTabs): void {
  previewTabs.update(({ [session]: tabs = NO_TABS, ...others }) =>
    Object.fromEntries([...Object.entries(others).slice(-MAX_SESSIONS), [session, change(tabs)]]),
  );
}
