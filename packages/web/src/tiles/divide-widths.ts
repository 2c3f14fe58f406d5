const MAX_SESSIONS = 60;
/** No tile of a pair gets less than this share. */
const MIN_SHARE = 0.15;

/** Relative widths of tiles, by session. Absent: 1. */
export type Widths = Readonly<Record<string, number>>;

export function widthOf(widths: Widths, id: string): number {
  return widths[id] ?? 1;
}

/** The left tile's share of a pair. */
export function shareOf(widths: Widths, left: string, right: string): number {
  return widthOf(widths, left) / (widthOf(widths, left) + widthOf(widths, right));
}

/** Divides the width of a pair; other tiles keep theirs. */
export function divide(widths: Widths, left: string, right: string, share: number): Record<string, number> {
  const sum = widthOf(widths, left) + widthOf(widths, right);
  const part = Math.min(Math.max(share, MIN_SHARE), 1 - MIN_SHARE) * sum;
  const { [left]: _, [right]: __, ...others } = widths;
  return Object.fromEntries([...Object.entries(others).slice(-MAX_SESSIONS), [left, part], [right, sum - part]]);
}
