import { Brain } from "lucide-react";
import { Markdown } from "../markdown/markdown.tsx";
import type { ReasoningRow } from "../rows/row.ts";
import { RowLine } from "./row-line.tsx";
import { useLiveText } from "./use-live-text.ts";

const MAX_CHARS = 60_000;

/** The agent's reasoning, folded: its start, or its end while it streams. */
export function ReasoningItem({ row, open }: { row: ReasoningRow; open: boolean }) {
  const live = useLiveText(row.item, row.open);
  const text = row.open ? (live.reasoning ?? "") : row.text;
  if (row.redacted && !text)
    return (
      <RowLine rowKey={row.key} icon={<Brain size={13} />}>
        Reasoning hidden by the provider
      </RowLine>
    );
  const excerpt = row.open ? text.slice(-160) : text.slice(0, 160);
  return (
    <>
      <RowLine rowKey={row.key} icon={<Brain size={13} className={row.open ? "breathe" : undefined} />} open={open}>
        <span className="text-faint italic">{excerpt.replace(/\s+/g, " ").replace(/[*_`#]/g, "")}</span>
      </RowLine>
      {open && (
        <div className="mt-1 mb-2 ml-6 border-l-2 border-line pl-3 text-soft">
          <Markdown text={text.slice(0, MAX_CHARS)} streaming={row.open} />
        </div>
      )}
    </>
  );
}
