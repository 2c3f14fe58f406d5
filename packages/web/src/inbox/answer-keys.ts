import { useShortcuts } from "../shell/shortcuts.ts";

/**
 * The keys that answer a request, the same in the inbox, in a session and on the board. Each clicks the button with this
 * `data-do` on the card.
 */
export const answerKeys = [
  { keys: "y", does: "Allow or answer", press: "allow" },
  { keys: "s", does: "Allow for this session", press: "session" },
  { keys: "n", does: "Deny", press: "deny" },
  { keys: "d", does: "Deny with feedback", press: "feedback" },
  { keys: "e", does: "Edit before allowing", press: "edit" },
] as const;

export type AnswerPress = (typeof answerKeys)[number]["press"];

/** The key of an answer, for the hint on its button. */
export function keyFor(press: AnswerPress): string | undefined {
  return answerKeys.find((one) => one.press === press)?.keys;
}

/** Makes the keys answer the request on the card that `findCard` returns. Without a card they do nothing. */
export function useAnswerKeys(findCard: () => Element | null | undefined, active = true): void {
  const press = (what: AnswerPress) => findCard()?.querySelector<HTMLElement>(`[data-do="${what}"]`)?.click();
  useShortcuts(active ? answerKeys.map(({ keys, does, press: what }) => ({ keys, does, run: () => press(what) })) : []);
}

/**
 * The pending request of an open session that keys answer: the focused one, else the first. One that is out of view is
 * scrolled into view first, so that a key never answers what the user does not see. `within`: only the requests in there.
 */
export function findPendingCard(within: Document | Element = document): Element | undefined {
  const focused = document.activeElement?.closest("[data-pending]");
  const card = focused && within.contains(focused) ? focused : within.querySelector("[role=log] [data-pending]");
  if (!card) return undefined;
  const { top, bottom } = card.querySelector("footer")?.getBoundingClientRect() ?? card.getBoundingClientRect();
  const frame = card.closest("[role=log]")?.getBoundingClientRect() ?? { top: 0, bottom: innerHeight };
  if (top >= frame.top && bottom <= frame.bottom) return card;
  card.querySelector("footer")?.scrollIntoView({ block: "nearest" });
  return undefined;
}
