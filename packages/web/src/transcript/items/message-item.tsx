import { useState } from "react";
import { formatBytes } from "../../ui/display/format.ts";
import { Markdown } from "../markdown/markdown.tsx";
import type { MessageRow } from "../rows/row.ts";
import { useLiveText } from "./use-live-text.ts";

/** Characters rendered as Markdown at once. More would block the page. */
const PART = 30_000;

/** A message of the agent, complete or streaming. */
export function MessageItem({ row }: { row: MessageRow }) {
  const live = useLiveText(row.item, row.open);
  const [parts, setParts] = useState(1);
  const text = row.open ? (live.text ?? "") : row.text;
  const shown = text.length > parts * PART ? text.slice(0, parts * PART) : text;
  return (
    <div className="my-2.5">
      <div className="transcript-text">
        <Markdown text={shown} streaming={row.open} />
      </div>
      {shown.length < text.length && (
        <button type="button" onClick={() => setParts(parts + 1)} className="mt-1 text-sm text-accent hover:underline">
          Show more ({formatBytes(text.length - shown.length)} left)
        </button>
      )}
    </div>
  );
}
