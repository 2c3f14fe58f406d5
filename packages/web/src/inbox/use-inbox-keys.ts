import { type RefObject, useEffect, useRef } from "react";
import { useShortcuts } from "../shell/shortcuts.ts";
import type { PendingInput } from "../store/sessions/hooks.ts";

/** Keys of the inbox. Each clicks the button with this `data-do` on the focused card. */
const presses = [
  { keys: "y", label: "Allow", does: "Allow or answer", press: "allow" },
  { keys: "s", label: "Allow for this session", does: "Allow for this session", press: "session" },
  { keys: "n", label: "Deny", does: "Deny", press: "deny" },
  { keys: "d", label: "Deny with feedback", does: "Deny with feedback", press: "feedback" },
  { keys: "e", label: "Edit", does: "Edit before allowing", press: "edit" },
  { keys: "o", label: "Open session", does: "Open the session", press: "open" },
];

/** The keys shown below the list. */
export const inboxKeys: { keys: string; label: string }[] = [{ keys: "j k", label: "Move" }, ...presses];

/**
 * Keyboard control of the inbox. One card always has the focus: the first at the start, and the next when it is settled.
 * A new card does not take the focus.
 */
export function useInboxKeys(pending: readonly PendingInput[]): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null);
  const at = useRef(0);
  const cards = () => [...(list.current?.querySelectorAll<HTMLElement>("[data-input]") ?? [])];
  const focusedCard = () => cards().find((card) => card.contains(document.activeElement));
  const move = (step: number) => {
    const all = cards();
    const from = all.findIndex((card) => card.contains(document.activeElement));
    const to = all[Math.max(0, Math.min(all.length - 1, from + step))];
    to?.focus();
    to?.scrollIntoView({ block: "nearest" });
  };
  const press = (what: string) => focusedCard()?.querySelector<HTMLElement>(`[data-do="${what}"]`)?.click();

  const arrived = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus is checked whenever the list changes.
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

/** Whether the focus fell back to the page or its main element because the focused element was removed. */
function isNowhere(element: Element | null): boolean {
  return element === null || element === document.body || element.tagName === "MAIN";
}
