/**
 * Programs query the terminal (cursor position, colors), and xterm responds when it renders the query. Output that is
 * rendered again, after a reload or in another view, must not be answered a second time: the response would appear on the
 * shell's command line.
 */
const offsets = new Map<string, number>();

/** The offset of the first byte whose queries have not been answered. */
export function firstUnanswered(id: string): number {
  return offsets.get(id) ?? Number.POSITIVE_INFINITY;
}

/** Marks all queries before this offset as answered. */
export function markAnswered(id: string, to: number): void {
  const before = offsets.get(id);
  if (before === undefined || before < to) offsets.set(id, to);
}
