import { createContext, useContext, useEffect, useRef } from "react";

/** One key combination: `mod+k`, `g b` (a sequence) or `?`. `does` describes it in the list of shortcuts. */
export type Shortcut = { keys: string; does: string; run: () => void; whileTyping?: boolean };

const active = new Set<Shortcut>();
const SEQUENCE_MS = 1000;
let started: { key: string; at: number } | undefined;

/** The shortcuts of all mounted components, for the list of shortcuts. */
export function activeShortcuts(): Shortcut[] {
  return [...active];
}

/** Whether the shortcuts of the components below work. Several parts of a view may offer the same keys, one at a time. */
export const ShortcutScope = createContext(true);

/** Registers shortcuts while the component is mounted. In a text field only those with `whileTyping` work. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  const inScope = useContext(ShortcutScope);
  const names = inScope ? shortcuts.map((shortcut) => shortcut.keys).join() : "";
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names identify the set of shortcuts; their actions are read through the ref.
  useEffect(() => {
    if (!inScope) return;
    const mine = latest.current.map((shortcut, index) => ({
      ...shortcut,
      run: () => latest.current[index]?.run(),
    }));
    for (const shortcut of mine) active.add(shortcut);
    return () => {
      for (const shortcut of mine) active.delete(shortcut);
    };
  }, [names, inScope]);
}

/** Installs the page's key listener and returns its removal. Called once. */
export function listenForShortcuts(): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    // Nothing must happen unseen behind a modal dialog.
    const typing = isTyping(event.target) || document.querySelector("dialog:modal") !== null;
    const pressed = combination(event);
    const sequence = started && event.timeStamp - started.at < SEQUENCE_MS ? `${started.key} ${pressed}` : undefined;
    const candidates = [...active].reverse().filter((shortcut) => shortcut.whileTyping || !typing);
    const found =
      candidates.find((shortcut) => shortcut.keys === sequence) ??
      candidates.find((shortcut) => shortcut.keys === pressed);
    const begins = candidates.some((shortcut) => shortcut.keys.startsWith(`${pressed} `));
    started = !found && begins ? { key: pressed, at: event.timeStamp } : undefined;
    if (!found) return;
    event.preventDefault();
    found.run();
  };
  addEventListener("keydown", onKeyDown);
  return () => removeEventListener("keydown", onKeyDown);
}

function combination(event: KeyboardEvent): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key.toLowerCase().replace("arrow", "");
  const letter = /^[a-z0-9]$/.test(key) || key.length > 1;
  const parts = [
    (event.metaKey || event.ctrlKey) && "mod",
    event.altKey && "alt",
    event.shiftKey && letter && "shift",
    key,
  ];
  return parts.filter(Boolean).join("+");
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable || target.matches("input:not([type=checkbox],[type=radio]), textarea, select, .xterm *")
  );
}
