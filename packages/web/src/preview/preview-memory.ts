import { storedCell } from "../store/stored-cell.ts";

/** How wide the shown site is: as a phone, as a tablet, or as there is room. */
export const DEVICES = { phone: 390, tablet: 820, full: undefined } as const;
export type Device = keyof typeof DEVICES;

/** How this browser shows previews. */
export const previewLayout = storedCell<{ width: number; device: Device }>("preview.layout", {
  width: 520,
  device: "full",
});

const MOST_TARGETS = 30;

/** The dev server that each session looks at, by the session's id; the last one used is the last here. */
export const previewTargets = storedCell<Readonly<Record<string, string>>>("preview.targets", {});

/** Remembers, or with `undefined` forgets, what a session looks at. */
export function setPreviewTarget(session: string, target: string | undefined): void {
  previewTargets.update(({ [session]: _, ...others }) => {
    const kept = Object.entries(others).slice(-MOST_TARGETS);
    return Object.fromEntries(target === undefined ? kept : [...kept, [session, target]]);
  });
}

/** Sessions whose preview is open beside the transcript. */
export const openPreviews = storedCell<readonly string[]>("preview.open", []);

export function togglePreview(session: string, open = !openPreviews.get().includes(session)): void {
  openPreviews.update((list) => {
    const others = list.filter((other) => other !== session).slice(-MOST_TARGETS);
    return open ? [...others, session] : others;
  });
}
