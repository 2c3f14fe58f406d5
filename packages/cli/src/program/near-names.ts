/** How much of a name may differ before it is no longer a suggestion for a typing error. */
const SHARE = 0.4;

/** Whether a name is so close to the input that it is probably a typing error: one edit, or a small share of the name. */
export function isNearName(input: string, name: string): boolean {
  const longest = Math.max(input.length, name.length);
  return editDistance(input.toLowerCase(), name.toLowerCase()) <= Math.max(1, Math.floor(longest * SHARE));
}

/** Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment). */
export function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let row = 1; row <= from.length; row++) {
    const next = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      next[column] = Math.min(
        last[column]! + 1,
        next[column - 1]! + 1,
        last[column - 1]! + (isSame ? 0 : 1),
        isSwap ? beforeLast[column - 2]! + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [beforeLast, last] = [last, next];
  }
  return last[to.length]!;
}
