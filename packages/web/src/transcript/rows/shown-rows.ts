import type { Row } from "./row.ts";
import type { RowTree } from "./row-tree.ts";

/** A row in the list, with its depth and the number of its children. */
export type ShownRow = { row: Row; depth: number; childCount: number };

/** Which rows the user has opened or closed. Others are closed after "close all", else as `isOpenByDefault` decides. */
export type Openness = { allClosed: boolean; chosen: ReadonlyMap<string, boolean> };

export const defaultOpenness: Openness = { allClosed: false, chosen: new Map() };

export function isOpen(row: Row, { allClosed, chosen }: Openness): boolean {
  return chosen.get(row.key) ?? (!allClosed && isOpenByDefault(row));
}

/**
 * The top-level rows in order, each followed by its children if it is open. Queued messages are not included: the
 * composer shows them, where they can be edited.
 */
export function shownRows(tree: RowTree, openness: Openness, after: readonly Row[] = []): ShownRow[] {
  const shown: ShownRow[] = [];
  const walk = (keys: readonly string[], depth: number) => {
    for (const key of keys) {
      const row = tree.get(key);
      if (!row) continue;
      const children = tree.children(key);
      shown.push({ row, depth, childCount: children.length });
      if (children.length > 0 && isOpen(row, openness)) walk(children, depth + 1);
    }
  };
  walk(tree.children(), 0);
  for (const row of after) shown.push({ row, depth: 0, childCount: 0 });
  return shown;
}

/** Plans, commands, changes and errors are open by default; reads and reasoning are not. */
function isOpenByDefault(row: Row): boolean {
  if (row.kind === "plan") return true;
  return row.kind === "tool" && (row.tool === "execute" || row.changes.length > 0 || row.status === "error");
}

/** The row that contains an event, else the last row before it, else the first row; with its ancestors. */
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
