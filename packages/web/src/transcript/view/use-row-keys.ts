import { type RefObject, useState } from "react";
import type { VirtualizerHandle } from "virtua";
import { useShortcuts } from "../../shell/shortcuts.ts";
import { isOpen, type ShownRow } from "../rows/shown-rows.ts";
import type { TranscriptContext } from "./context.ts";
import { copyRow, linkToRow } from "./row-actions.tsx";

type RowList = {
  rows: readonly ShownRow[];
  list: RefObject<VirtualizerHandle | null>;
  release: () => void;
  toEnd: () => void;
};

/** Keyboard control of the transcript. Returns the key of the selected row. */
export function useRowKeys(
  { session, window, toggle, showRaw }: TranscriptContext,
  target: RowList,
): string | undefined {
  const { rows, list, release, toEnd } = target;
  const [selected, select] = useState<string>();
  const at = rows.findIndex(({ row }) => row.key === selected);
  const move = (step: number) => {
    const first = list.current?.findItemIndex(list.current.scrollOffset + 1) ?? 0;
    const next = at < 0 ? (step > 0 ? first : rows.length - 1) : Math.max(0, Math.min(rows.length - 1, at + step));
    const shown = rows[next];
    if (!shown) return;
    release();
    select(shown.row.key);
    list.current?.scrollToIndex(next, { align: "nearest" });
  };
  const withRow = (act: (shown: ShownRow) => void) => () => {
    const shown = rows[at];
    if (shown) act(shown);
  };
  useShortcuts([
    { keys: "j", does: "Next row", run: () => move(1) },
    { keys: "k", does: "Previous row", run: () => move(-1) },
    {
      keys: "o",
      does: "Open or close the row",
      run: withRow(({ row }) => toggle(row.key, !isOpen(row, window.openness.get()))),
    },
    { keys: "shift+y", does: "Copy the row", run: withRow(({ row }) => copyRow(row)) },
    { keys: "#", does: "Copy a link to the row", run: withRow(({ row }) => linkToRow(session, row)) },
    { keys: "r", does: "Show the row's raw events", run: withRow(({ row }) => showRaw(row)) },
    {
      keys: "shift+c",
      does: "Close all rows, or restore the default",
      run: () =>
        window.openness.update(({ allClosed, chosen }) => ({
          allClosed: !allClosed || chosen.size > 0,
          chosen: new Map(),
        })),
    },
    { keys: "shift+g", does: "Go to the end", run: toEnd },
  ]);
  return selected;
}
