import { type RefObject, useEffect, useRef } from "react";
import { useShortcuts } from "../shell/shortcuts.ts";
import type { PendingInput } from "../store/hooks.ts";

/** Keys of the inbox: each presses the button that carries this `data-do` on the card that has the focus. */
const presses = [
  { keys: "y", word: "allow", does: "Allow, or answer", press: "allow" },
  { keys: "s", word: "for this session", does: "Allow for this session", press: "session" },
  { keys: "n", word: "deny", does: "Deny", press: "deny" },
  { keys: "d", word: "say why", does: "Deny with a word", press: "word" },
  { keys: "e", word: "edit", does: "Edit, then allow", press: "edit" },
  { keys: "o", word: "open", does: "Open the session", press: "open" },
];

/** For the legend below the list. */
export const inboxKeys: { keys: string; word: string }[] = [{ keys: "j k", word: "move" }, ...presses];

/**
 * The inbox by keyboard alone. One card has the focus at all times: the first one at the beginning, and its successor
 * when it goes. A card that comes in between takes the focus from nobody.
 */
export function useInboxKeys(pending: readonly PendingInput[]): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null);
  const at = useRef(0);
  const cards = () => [...(list.current?.querySelectorAll<HTMLElement>("[data-input]") ?? [])];
  const current = () => cards().find((card) => card.contains(document.activeElement));
  const move = (step: number) => {
    const all = cards();
    const from = all.findIndex((card) => card.contains(document.activeElement));
    const to = all[Math.max(0, Math.min(all.length - 1, from + step))];
    to?.focus();
    to?.scrollIntoView({ block: "nearest" });
  };
  const press = (what: string) => current()?.querySelector<HTMLElement>(`[data-do="${what}"]`)?.click();

  const arrived = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus is looked after whenever the list has changed.
  useEffect(() => {
    const all = cards();
    if (all.length === 0) return;
    const now = all.findIndex((card) => card.contains(document.activeElement));
    if (now >= 0) at.current = now;
    else if (!arrived.current || isNowhere(document.activeElement)) all[Math.min(at.current, all.length - 1)]?.focus();
    arrived.current = true;
  }, [pending]);
  useEffect(() => {
    const note = () => {
      const now = cards().findIndex((card) => card.contains(document.activeElement));
      if (now >= 0) at.current = now;
    };
    addEventListener("focusin", note);
    return () => removeEventListener("focusin", note);
  });
  useShortcuts([
    { keys: "j", does: "Next input", run: () => move(1) },
    { keys: "k", does: "Previous input", run: () => move(-1) },
    ...presses.map(({ keys, does, press: what }) => ({ keys, does, run: () => press(what) })),
  ]);
  return list;
}

/** The focus fell to the page, or to its main part, because what held it went. */
function isNowhere(element: Element | null): boolean {
  return element === null || element === document.body || element.tagName === "MAIN";
}
