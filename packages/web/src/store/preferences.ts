import { keptCell } from "./kept.ts";

export type Preferences = {
  theme: "system" | "light" | "dark";
  /** Which key sends: the other one, with Shift or alone, breaks the line. */
  sendKey: "enter" | "mod-enter";
  diff: "unified" | "split";
  notifications: boolean;
  sidebar: boolean;
};

/** How this browser shows things. The daemon's own settings are elsewhere. */
export const preferences = keptCell<Preferences>("preferences", {
  theme: "system",
  sendKey: "enter",
  diff: "unified",
  notifications: false,
  sidebar: true,
});

export function setPreference<K extends keyof Preferences>(key: K, value: Preferences[K]): void {
  preferences.update((all) => ({ ...all, [key]: value }));
}

/** Puts the chosen colours on the document, now and whenever they change. */
export function applyTheme(): void {
  const apply = () => {
    const { theme } = preferences.get();
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    localStorage.setItem("gantry.theme", theme);
  };
  apply();
  preferences.subscribe(apply);
}
