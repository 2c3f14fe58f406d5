/**
 * Programs ask the terminal things (where is the cursor, which colours are there), and xterm answers when it draws the
 * question. Output that is drawn again, after a reload or in another view, must not be answered a second time: the answer
 * would stand on the shell's command line.
 */
const places = new Map<string, number>();

/** The byte from which on nobody has answered yet. */
export function answerFrom(id: string): number {
  return places.get(id) ?? Number.POSITIVE_INFINITY;
}

/** Everything before this byte has been answered, or was asked when nobody looked. */
export function answered(id: string, to: number): void {
  const before = places.get(id);
  if (before === undefined || before < to) places.set(id, to);
}
