/** Where one is among earlier messages, and what was written before one went there. */
export type Recall = { at: number; stash: string };

/** What the box shows next; `recall` is absent when one is back at what one was writing. */
export type Recalled = { recall?: Recall; text: string };

/**
 * One step through earlier messages, oldest first in `entries`: -1 to the one before, 1 to the one after. `undefined`
 * when there is nowhere to go, so that the key may do what it always does.
 */
export function recallStep(
  entries: readonly string[],
  now: Recall | undefined,
  step: -1 | 1,
  text: string,
): Recalled | undefined {
  if (!now && step === 1) return undefined;
  const { at, stash } = now ?? { at: entries.length, stash: text };
  const next = at + step;
  if (next < 0) return undefined;
  const entry = entries[next];
  if (entry === undefined) return { text: stash };
  return { recall: { at: next, stash }, text: entry };
}

/**
 * Does an arrow key at this place of the text go through earlier messages? Up does at the very beginning. Down only leads
 * back, from either end of a message that was recalled.
 */
export function isAtEdge(text: string, from: number, to: number, step: -1 | 1, recalled: boolean): boolean {
  if (from !== to) return false;
  if (step === -1) return from === 0;
  return recalled && (from === 0 || to === text.length);
}

/** The messages without those that repeat the one before, and without empty ones. */
export function historyOf(texts: readonly string[]): string[] {
  const said = texts.map((text) => text.trim()).filter((text) => text !== "");
  return said.filter((text, index) => text !== said[index - 1]);
}
