import { useMemo } from "react";
import { useCell } from "../../store/cell.ts";
import { liveItem, openItems } from "../../store/sessions/live.ts";
import type { Row } from "../rows/row.ts";
import type { RowTree } from "../rows/row-tree.ts";
import { itemKey } from "../rows/row-tree.ts";

/** Rows for streaming items that are not in the log yet. A row keeps its key when its event arrives. */
export function useOpenRows(session: string, tree: RowTree, version: number): readonly Row[] {
  const items = useCell(openItems(session));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tree is mutated as it grows; its version changes.
  return useMemo(
    () => items.filter((item) => !tree.get(itemKey(item))).map((item) => openRow(session, item)),
    [session, items, tree, version],
  );
}

function openRow(session: string, item: string): Row {
  const { reasoning, input, output } = liveItem(session, item).get();
  const common = { key: itemKey(item), events: [], item };
  if (reasoning !== undefined) return { kind: "reasoning", ...common, text: "", redacted: false, open: true };
  if (input !== undefined || output !== undefined)
    return { kind: "tool", ...common, name: "", tool: "other", title: "Tool call", locations: [], changes: [] };
  return { kind: "message", ...common, text: "", open: true };
}
