import type { Row } from "./row.ts";
import type { RowTree } from "./row-tree.ts";

/** A row as it stands in the list: how deep inside of other work, and how many rows it has under it. */
export type Shown = { row: Row; depth: number; under: number };

/** Which rows a person has opened or closed; those not named are as `opensByItself` says, or closed once all were. */
export type Openness = { allClosed: boolean; chosen: ReadonlyMap<string, boolean> };

export const asItComes: Openness = { allClosed: false, chosen: new Map() };

export function isOpen(row: Row, { allClosed, chosen }: Openness): boolean {
  return chosen.get(row.key) ?? (!allClosed && opensByItself(row));
}

/**
 * The rows of the top level in order, each followed by those under it if it is open. Messages that wait in the queue are
 * not among them: they are shown where they can still be changed, at the composer.
 */
export function shownRows(tree: RowTree, openness: Openness, after: readonly Row[] = []): Shown[] {
  const shown: Shown[] = [];
  const walk = (keys: readonly string[], depth: number) => {
    for (const key of keys) {
      const row = tree.get(key);
      if (!row) continue;
      const under = tree.children(key);
      shown.push({ row, depth, under: under.length });
      if (under.length > 0 && isOpen(row, openness)) walk(under, depth + 1);
    }
  };
  walk(tree.children(), 0);
  for (const row of after) shown.push({ row, depth: 0, under: 0 });
  return shown;
}

/** What changed files or printed something is worth a look; what was looked at and thought is not, unless asked for. */
function opensByItself(row: Row): boolean {
  if (row.kind === "plan") return true;
  return row.kind === "tool" && (row.tool === "execute" || row.changes.length > 0 || row.status === "error");
}

/** The row that tells of an event: the one that holds it, the last one before it, or the first of all. And what it lies under. */
export function rowOfSeq(tree: RowTree, seq: number): { key: string; ancestors: string[] } | undefined {
  let best: { key: string; ancestors: string[]; seq: number } | undefined;
  const walk = (keys: readonly string[], ancestors: string[]): boolean =>
    keys.some((key) => {
      const row = tree.get(key);
      if (!row) return false;
      const first = row.events[0]?.seq ?? 0;
      if (row.events.some((event) => event.seq === seq)) {
        best = { key, ancestors, seq };
        return true;
      }
      if (first <= seq && first >= (best?.seq ?? 0)) best = { key, ancestors, seq: first };
      return walk(tree.children(key), [...ancestors, key]);
    });
  walk(tree.children(), []);
  const [first] = tree.children();
  return best ?? (first === undefined ? undefined : { key: first, ancestors: [] });
}
