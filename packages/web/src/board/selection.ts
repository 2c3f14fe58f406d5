import { Cell } from "../store/cell.ts";

/** The ids of the selected sessions of the board. */
export const selection = new Cell<ReadonlySet<string>>(new Set());

export function toggleSelected(id: string): void {
  selection.update((all) => {
    const next = new Set(all);
    if (!next.delete(id)) next.add(id);
    return next;
  });
}

export function clearSelection(): void {
  selection.set(new Set());
}
