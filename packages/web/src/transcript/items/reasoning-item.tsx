import { Brain } from "lucide-react";
import { Markdown } from "../markdown/markdown.tsx";
import type { ReasoningRow } from "../rows/row.ts";
import { Line } from "./line.tsx";
import { useLiveText } from "./use-live-text.ts";

const LONGEST = 60_000;

/** What the agent thought, folded: its first words, or its last ones while it thinks. */
export function ReasoningItem({ row, open }: { row: ReasoningRow; open: boolean }) {
  const live = useLiveText(row.item, row.open);
  const text = row.open ? (live.reasoning ?? "") : row.text;
  if (row.redacted && !text)
    return (
      <Line rowKey={row.key} icon={<Brain size={13} />}>
        Thought, which the provider keeps to itself
      </Line>
    );
  const words = row.open ? text.slice(-160) : text.slice(0, 160);
  return (
    <>
      <Line rowKey={row.key} icon={<Brain size={13} className={row.open ? "breathe" : undefined} />} open={open}>
        <span className="text-faint italic">{words.replace(/\s+/g, " ").replace(/[*_`#]/g, "")}</span>
      </Line>
      {open && (
        <div className="mt-1 mb-2 ml-6 border-l-2 border-line pl-3 text-soft">
          <Markdown text={text.slice(0, LONGEST)} streaming={row.open} />
        </div>
      )}
    </>
  );
}
