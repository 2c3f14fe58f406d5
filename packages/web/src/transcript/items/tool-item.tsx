import { useSession } from "../../store/hooks.ts";
import { Badge } from "../../ui/display/badge.tsx";
import { formatDuration } from "../../ui/display/format.ts";
import { Exact } from "../output/exact.tsx";
import { OutputBox } from "../output/output-box.tsx";
import type { ToolRow } from "../rows/row.ts";
import { useTranscript } from "../view/context.ts";
import { Changes } from "./changes.tsx";
import { DiffCount } from "./diff-count.tsx";
import { Line } from "./line.tsx";
import { ToolInput } from "./tool-input.tsx";
import { commandOf, toolIcon, withinFolder } from "./tool-words.tsx";
import { useLiveText } from "./use-live-text.ts";

/** One tool call: a line, and under it what it was given, what it printed and what it changed. */
export function ToolItem({ row, open, under }: { row: ToolRow; open: boolean; under: number }) {
  const { session } = useTranscript();
  const folder = useSession(session)?.cwd;
  const live = useLiveText(row.item, row.status === undefined);
  const output = row.output ?? live.output ?? "";
  const command = commandOf(row);
  const failed = row.status === "error";
  return (
    <div className="my-0.5">
      <Line
        rowKey={row.key}
        icon={<span className={row.status === undefined ? "breathe" : undefined}>{toolIcon(row.tool)}</span>}
        open={open}
        end={<ToolEnd row={row} under={under} />}
      >
        {row.mcp && <span className="text-faint">{row.mcp.server} · </span>}
        <span className={command ? "font-mono text-xs text-ink" : "text-ink"}>
          <Exact text={withinFolder(oneLine(command ?? (row.title || row.name)), folder)} />
        </span>
      </Line>
      {open && (
        <div className="mt-1 mb-2 ml-6 flex flex-col gap-1.5">
          <ToolInput row={row} command={command} />
          {row.changes.length > 0 ? (
            <Changes changes={row.changes} />
          ) : (
            output !== "" && <OutputBox item={row.item} output={output} label={`Output of ${row.title || row.name}`} />
          )}
          {failed && row.changes.length > 0 && output !== "" && (
            <OutputBox item={row.item} output={output} label="Error" />
          )}
        </div>
      )}
    </div>
  );
}

function ToolEnd({ row, under }: { row: ToolRow; under: number }) {
  const { status, exitCode, durationMs, changes } = row;
  return (
    <>
      {under > 0 && <span>{under} inside</span>}
      {changes.length > 0 && <DiffCount changes={changes} />}
      {status === "denied" && <Badge tone="need">denied</Badge>}
      {status === "interrupted" && <Badge>interrupted</Badge>}
      {typeof exitCode === "number" && exitCode !== 0 && <Badge tone="bad">exit {exitCode}</Badge>}
      {status === "error" && !exitCode && <Badge tone="bad">failed</Badge>}
      {durationMs !== undefined && durationMs >= 100 && <span>{formatDuration(durationMs)}</span>}
    </>
  );
}

function oneLine(text: string): string {
  return text.slice(0, 400).replace(/\s*\n\s*/g, " ⏎ ");
}
