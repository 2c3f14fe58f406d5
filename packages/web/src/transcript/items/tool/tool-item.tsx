import { DiffCount } from "../../../diff/diff-count.tsx";
import { useSession } from "../../../store/sessions/hooks.ts";
import { Badge } from "../../../ui/display/badge.tsx";
import { formatDuration } from "../../../ui/display/format.ts";
import { ExactText } from "../../../ui/text/exact-text.tsx";
import { OutputBox } from "../../output/output-box.tsx";
import type { ToolRow } from "../../rows/row.ts";
import { useTranscript } from "../../view/context.ts";
import { RowLine } from "../row-line.tsx";
import { Changes } from "../turn/changes.tsx";
import { useLiveText } from "../use-live-text.ts";
import { commandOf, relativeToFolder, toolIcon } from "./tool-icon.tsx";
import { ToolInput } from "./tool-input.tsx";

/** One tool call: a line, and below it the input, output and changes. */
export function ToolItem({ row, open, childCount }: { row: ToolRow; open: boolean; childCount: number }) {
  const { session } = useTranscript();
  const folder = useSession(session)?.cwd;
  const live = useLiveText(row.item, row.status === undefined);
  const output = row.output ?? live.output ?? "";
  const command = commandOf(row);
  const failed = row.status === "error";
  return (
    <div className="my-0.5">
      <RowLine
        rowKey={row.key}
        icon={<span className={row.status === undefined ? "breathe" : undefined}>{toolIcon(row.tool)}</span>}
        open={open}
        end={<ToolEnd row={row} childCount={childCount} />}
      >
        {row.mcp && <span className="text-faint">{row.mcp.server} · </span>}
        <span className={command ? "font-mono text-xs text-ink" : "text-ink"}>
          <ExactText text={relativeToFolder(oneLine(command ?? titleOf(row)), folder)} />
        </span>
      </RowLine>
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

function ToolEnd({ row, childCount }: { row: ToolRow; childCount: number }) {
  const { status, exitCode, durationMs, changes } = row;
  return (
    <>
      {childCount > 0 && (
        <span>
          {childCount} {childCount === 1 ? "entry" : "entries"}
        </span>
      )}
      {changes.length > 0 && <DiffCount changes={changes} />}
      {status === "denied" && <Badge tone="need">Denied</Badge>}
      {status === "interrupted" && <Badge>Interrupted</Badge>}
      {typeof exitCode === "number" && exitCode !== 0 && <Badge tone="bad">Exit {exitCode}</Badge>}
      {status === "error" && !exitCode && <Badge tone="bad">Failed</Badge>}
      {durationMs !== undefined && durationMs >= 100 && <span>{formatDuration(durationMs)}</span>}
    </>
  );
}

/** The title without the name of the MCP server, which is shown before it. */
function titleOf({ title, name, mcp }: ToolRow): string {
  const whole = title || name;
  return mcp && whole.startsWith(`${mcp.server}: `) ? whole.slice(mcp.server.length + 2) : whole;
}

function oneLine(text: string): string {
  return text.slice(0, 400).replace(/\s*\n\s*/g, " ⏎ ");
}
