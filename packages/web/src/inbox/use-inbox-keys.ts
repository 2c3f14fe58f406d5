import { type RefObject, useEffect, useRef } from "react";
import { useShortcuts } from "../shell/shortcuts.ts";
import type { PendingInput } from "../store/sessions/hooks.ts";
import { useAnswerKeys } from "./answer-keys.ts";

/** The keys shown below the list. Those that answer are on the buttons. */
export const inboxKeys: { keys: string; label: string }[] = [
  { keys: "j k", label: "Move" },
  { keys: "x", label: "Select" },
  { keys: "o", label: "Open session" },
];

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
    { keys: "x", does: "Select the input for a batch answer", run: () => press("select") },
    { keys: "o", does: "Open the session", run: () => press("open") },
  ]);
  useAnswerKeys(focusedCard);
  return list;
}

/** Whether the focus fell back to the page or its main element because the focused element was removed. */
function isNowhere(element: Element | null): boolean {
  return element === null || element === document.body || element.tagName === "MAIN";
}
