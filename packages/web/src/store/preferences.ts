import { storedCell } from "./stored-cell.ts";

export type Preferences = {
  theme: "system" | "light" | "dark";
  /** The key that sends a message; the other inserts a line break. */
  sendKey: "enter" | "mod-enter";
  diff: "unified" | "split";
  notifications: boolean;
  sidebar: boolean;
};

/** Display preferences of this browser. The daemon's settings are separate. */
export const preferences = storedCell<Preferences>("preferences", {
  theme: "system",
  sendKey: "enter",
  diff: "unified",
  notifications: false,
  sidebar: true,
});

export function setPreference<K extends keyof Preferences>(key: K, value: Preferences[K]): void {
  preferences.update((all) => ({ ...all, [key]: value }));
}

/** Applies the chosen theme to the document, now and on every change. */
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
