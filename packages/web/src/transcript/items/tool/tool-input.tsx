import { Preformatted } from "../../../ui/display/preformatted.tsx";
import { clip } from "../../../ui/text/clip.ts";
import { ExactText } from "../../../ui/text/exact-text.tsx";
import type { ToolRow } from "../../rows/row.ts";
import { useLiveText } from "../use-live-text.ts";

const CLIP = { lines: 40, lineLength: 2000, from: "head" } as const;

/** The input of a tool call, unless the row's line already shows it. */
export function ToolInput({ row, command }: { row: ToolRow; command?: string }) {
  const live = useLiveText(row.item, row.status === undefined);
  const text = command !== undefined ? longCommand(command) : inputText(row, live.input);
  if (!text) return null;
  const { text: shown, lines } = clip(text, CLIP);
  return (
    <Preformatted label="Input" className="max-h-64 rounded-md border border-line px-3 py-1.5 text-soft">
      <ExactText text={shown} />
      {lines > 0 && `\n… ${lines} more lines`}
    </Preformatted>
  );
}

/** Short commands are shown whole in the row's line. */
function longCommand(command: string): string | undefined {
  return command.length > 90 || command.includes("\n") ? command : undefined;
}

function inputText(row: ToolRow, streamed: string | undefined): string | undefined {
  // A change is shown by its diff, a read by its line.
  if (row.changes.length > 0 || row.tool === "read") return undefined;
  if (row.input === undefined) return streamed;
  if (typeof row.input === "string") return row.input;
  // Questions are shown by the card of the request. The row's raw events have the input.
  if (Array.isArray((row.input as { questions?: unknown } | null)?.questions)) return undefined;
  const text = JSON.stringify(row.input, null, 2);
  return text === "{}" ? undefined : text;
}
