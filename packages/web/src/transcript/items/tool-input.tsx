import { Preformatted } from "../../ui/display/preformatted.tsx";
import { clip } from "../output/clip.ts";
import { Exact } from "../output/exact.tsx";
import type { ToolRow } from "../rows/row.ts";
import { useLiveText } from "./use-live-text.ts";

const ROOM = { lines: 40, lineLength: 2000, from: "head" } as const;

/** What a tool call was given, as far as its line does not say it already. */
export function ToolInput({ row, command }: { row: ToolRow; command?: string }) {
  const live = useLiveText(row.item, row.status === undefined);
  const text = command !== undefined ? longCommand(command) : inputText(row, live.input);
  if (!text) return null;
  const { text: shown, lines } = clip(text, ROOM);
  return (
    <Preformatted label="Input" className="max-h-64 rounded-md border border-line px-3 py-1.5 text-soft">
      <Exact text={shown} />
      {lines > 0 && `\n… ${lines} more lines`}
    </Preformatted>
  );
}

/** The line shows short commands whole. */
function longCommand(command: string): string | undefined {
  return command.length > 90 || command.includes("\n") ? command : undefined;
}

function inputText(row: ToolRow, streamed: string | undefined): string | undefined {
  // A change is told by its diff, a look by its line.
  if (row.changes.length > 0 || row.tool === "read") return undefined;
  if (row.input === undefined) return streamed;
  if (typeof row.input === "string") return row.input;
  const text = JSON.stringify(row.input, null, 2);
  return text === "{}" ? undefined : text;
}
