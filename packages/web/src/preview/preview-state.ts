import { storedCell } from "../store/stored-cell.ts";

/** The width of the site in pixels; `full` uses the panel's width. */
export const DEVICES = { phone: 390, tablet: 820, full: undefined } as const;
export type Device = keyof typeof DEVICES;

/** The preview layout in this browser. */
export const previewLayout = storedCell<{ width: number; device: Device }>("preview.layout", {
  width: 520,
  device: "full",
});

const MAX_SESSIONS = 30;

/** The dev server of each session, by session id; most recently used last. */
export const previewTargets = storedCell<Readonly<Record<string, string>>>("preview.targets", {});

/** Sets the dev server of a session; `undefined` removes it. */
export function setPreviewTarget(session: string, target: string | undefined): void {
  previewTargets.update(({ [session]: _, ...others }) => {
    const recent = Object.entries(others).slice(-MAX_SESSIONS);
    return Object.fromEntries(target === undefined ? recent : [...recent, [session, target]]);
  });
}

/** Sessions whose preview panel is open. */
export const openPreviews = storedCell<readonly string[]>("preview.open", []);

export function togglePreview(session: string, open = !openPreviews.get().includes(session)): void {
  openPreviews.update((list) => {
    const others = list.filter((other) => other !== session).slice(-MAX_SESSIONS);
    return open ? [...others, session] : others;
  });
}
