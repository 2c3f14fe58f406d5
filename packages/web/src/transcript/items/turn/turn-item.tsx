import { CircleCheck, CircleSlash, CircleX } from "lucide-react";
import { DiffCount } from "../../../diff/diff-count.tsx";
import { formatCount, formatDollars, formatDuration } from "../../../ui/display/format.ts";
import type { TurnRow } from "../../rows/row.ts";
import { RowLine } from "../row-line.tsx";
import { RowTime } from "../row-time.tsx";
import { Changes } from "./changes.tsx";
import { FailureBox } from "./failure-box.tsx";
import { TurnChanges } from "./turn-changes.tsx";

const outcomes = {
  completed: [<CircleCheck key="completed" size={13} className="text-good" />, "Done"],
  interrupted: [<CircleSlash key="interrupted" size={13} />, "Stopped"],
  failed: [<CircleX key="failed" size={13} className="text-bad" />, "Failed"],
} as const;

/** The end of a turn: outcome, usage and changes. */
export function TurnItem({ row, open }: { row: TurnRow; open: boolean }) {
  const { ended, changes, unattributed, durationMs, failure } = row;
  const hasChanges = changes.length + unattributed.length > 0;
  const [icon, label] = outcomes[ended.outcome];
  return (
    <div className="@container mt-1 mb-3 border-b border-line pb-2">
      {failure && ended.outcome === "failed" && <FailureBox failure={failure} messages={row.messages} />}
      <RowLine
        rowKey={row.key}
        icon={icon}
        open={hasChanges ? open : undefined}
        end={[<TurnFigures key="figures" row={row} />, <EndTime key="time" row={row} />]}
      >
        {label}
        {durationMs !== undefined && ` in ${formatDuration(durationMs)}`}
        {ended.outcome === "interrupted" && ended.reason && <span className="text-faint"> · {ended.reason}</span>}
        {changes.length > 0 && (
          <span className="ml-2">
            {changes.length === 1 ? "1 file" : `${changes.length} files`} <DiffCount changes={changes} />
          </span>
        )}
        {unattributed.length > 0 && (
          <span className="ml-2 text-faint" title="Other sessions worked in this folder at the same time.">
            {unattributed.length === 1 ? "1 other file" : `${unattributed.length} other files`} changed in the folder
          </span>
        )}
      </RowLine>
      {open && hasChanges && (
        <div className="mt-1 ml-6">
          {row.checkpointed ? (
            <TurnChanges turn={row.turn} end={endSeq(row)} changes={changes} unattributed={unattributed} />
          ) : (
            <Changes changes={changes} />
          )}
        </div>
      )}
    </div>
  );
}

/** When the turn ended. */
function EndTime({ row }: { row: TurnRow }) {
  const end = row.events.findLast((event) => event.type === "turn.ended");
  return end ? <RowTime row={{ ...row, events: [end] }} /> : null;
}

function endSeq(row: TurnRow): number {
  return row.events.find((event) => event.type === "turn.ended")?.seq ?? 0;
}

function TurnFigures({ row: { ended, cost } }: { row: TurnRow }) {
  const { usage, servedModel, ttftMs } = ended;
  return (
    <>
      {ttftMs !== undefined && (
        <span className="@max-[36rem]:hidden" title="Time from the start of the turn to the agent's first output">
          first output {formatDuration(ttftMs)}
        </span>
      )}
      {servedModel && <span className="truncate @max-[44rem]:hidden">{servedModel.slice(0, 80)}</span>}
      {usage && (
        <span
          className="@max-[24rem]:hidden"
          title={`${usage.input} in (${usage.cacheRead} from cache), ${usage.output} out`}
        >
          {formatCount(usage.input)} in · {formatCount(usage.output)} out
        </span>
      )}
      {cost && cost.usd > 0 && (
        <span title={cost.source === "list" ? "Estimated from list prices" : "Reported by the agent"}>
          {formatDollars(cost.usd)}
        </span>
      )}
    </>
  );
}
