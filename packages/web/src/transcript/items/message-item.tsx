import { useState } from "react";
import { formatBytes } from "../../ui/display/format.ts";
import { Markdown } from "../markdown/markdown.tsx";
import type { MessageRow } from "../rows/row.ts";
import { useLiveText } from "./use-live-text.ts";

/** How much is read as Markdown at once. Nobody reads more in one go, and it would hold up the page. */
const PART = 30_000;

/** What the agent said, or says right now. */
export function MessageItem({ row }: { row: MessageRow }) {
  const live = useLiveText(row.item, row.open);
  const [parts, setParts] = useState(1);
  const text = row.open ? (live.text ?? "") : row.text;
  const shown = text.length > parts * PART ? text.slice(0, parts * PART) : text;
  return (
    <div className="my-2.5">
      <Markdown text={shown} streaming={row.open} />
      {shown.length < text.length && (
        <button type="button" onClick={() => setParts(parts + 1)} className="mt-1 text-sm text-accent hover:underline">
          Show more: {formatBytes(text.length - shown.length)} are left
        </button>
      )}
    </div>
  );
}
