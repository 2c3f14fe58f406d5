/** The position among earlier messages, and the text that was being written before. */
export type Recall = { at: number; stash: string };

/** What the text box shows next. `recall` is absent at the text that was being written. */
export type Recalled = { recall?: Recall; text: string };

/**
 * Steps through earlier messages, oldest first in `entries`: -1 goes back, 1 forward. Returns `undefined` at the end of
 * the list, so that the key keeps its default action.
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
 * Whether an arrow key at this caret position steps through earlier messages. Up does at the start of the text; Down does
 * at either end of a recalled message.
 */
export function isAtEdge(text: string, from: number, to: number, step: -1 | 1, recalled: boolean): boolean {
  if (from !== to) return false;
  if (step === -1) return from === 0;
  return recalled && (from === 0 || to === text.length);
}

/** Removes empty messages and consecutive duplicates. */
export function historyOf(texts: readonly string[]): string[] {
  const trimmed = texts.map((text) => text.trim()).filter((text) => text !== "");
  return trimmed.filter((text, index) => text !== trimmed[index - 1]);
}
