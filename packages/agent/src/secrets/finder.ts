/** `what` is the index of the word that was found. */
export type Find = { start: number; end: number; what: number };

const SLOTS = 1 << 16;
/** A step looks at three characters. */
const BLOCK = 3;
/** With longer steps the table fills up, and nothing is won. */
const LONGEST_WINDOW = 32;

export const SHORTEST_WORD = 4;

/**
 * Finds every occurrence of many words in one pass, also those that overlap. Most of a text is stepped over: where the
 * last three characters of the window are in no word at this place, the window moves on by as much as it can.
 * Words have at least `SHORTEST_WORD` characters.
 */
export function makeFinder(words: readonly string[]): (text: string) => Find[] {
  if (words.length === 0) return () => [];
  const window = Math.min(LONGEST_WINDOW, ...words.map((word) => word.length));
  const steps = new Uint8Array(SLOTS).fill(window - BLOCK + 1);
  const ends = new Map<number, number[]>();
  for (const [what, word] of words.entries()) {
    for (let end = BLOCK; end <= window; end++) {
      const slot = slotOf(word.charCodeAt(end - 3), word.charCodeAt(end - 2), word.charCodeAt(end - 1));
      steps[slot] = Math.min(steps[slot] ?? 0, window - end);
      if (end === window) ends.set(slot, [...(ends.get(slot) ?? []), what]);
    }
  }
  return (text) => {
    const finds: Find[] = [];
    const length = text.length;
    let at = window - 1;
    while (at < length) {
      const slot = slotOf(text.charCodeAt(at - 2), text.charCodeAt(at - 1), text.charCodeAt(at));
      const step = steps[slot] as number;
      if (step > 0) {
        at += step;
        continue;
      }
      const start = at - window + 1;
      for (const what of ends.get(slot) ?? []) {
        const word = words[what] as string;
        if (text.startsWith(word, start)) finds.push({ start, end: start + word.length, what });
      }
      at++;
    }
    return finds;
  };
}

function slotOf(a: number, b: number, c: number): number {
  return ((a << 10) ^ (b << 5) ^ c) & (SLOTS - 1);
}
