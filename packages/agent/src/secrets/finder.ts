/** `what` is the index of the needle that was found. */
export type Find = { start: number; end: number; what: number };

const SLOTS = 1 << 16;
/** Each step hashes three characters. */
const BLOCK = 3;
/** Longer windows fill the table without being faster. */
const LONGEST_WINDOW = 32;

export const SHORTEST_NEEDLE = 4;

/**
 * Finds every occurrence of many needles in one pass, overlapping ones included. Like Wu-Manber it skips most of the text:
 * when the last three characters of the window occur in no needle at this offset, the window moves by the longest safe step.
 * Needles have at least `SHORTEST_NEEDLE` characters.
 */
export function makeFinder(needles: readonly string[]): (text: string) => Find[] {
  if (needles.length === 0) return () => [];
  const window = Math.min(LONGEST_WINDOW, ...needles.map((needle) => needle.length));
  const steps = new Uint8Array(SLOTS).fill(window - BLOCK + 1);
  const ends = new Map<number, number[]>();
  for (const [what, needle] of needles.entries()) {
    for (let end = BLOCK; end <= window; end++) {
      const slot = slotOf(needle.charCodeAt(end - 3), needle.charCodeAt(end - 2), needle.charCodeAt(end - 1));
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
        const needle = needles[what] as string;
        if (text.startsWith(needle, start)) finds.push({ start, end: start + needle.length, what });
      }
      at++;
    }
    return finds;
  };
}

function slotOf(a: number, b: number, c: number): number {
  return ((a << 10) ^ (b << 5) ^ c) & (SLOTS - 1);
}
