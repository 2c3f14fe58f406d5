import type { Schedule } from "@gantry/protocol";
import { Clock, Pause, Play, RotateCw, Trash2 } from "lucide-react";
import { client } from "../store/client.ts";
import { sessionCell } from "../store/sessions.ts";
import { Button } from "../ui/controls/button.tsx";
import { Badge } from "../ui/display/badge.tsx";
import { withSchedules } from "./use-schedules.ts";
import { whenWords } from "./when.ts";

/** One message that is sent later: what, when, and what became of it the last time. */
export function ScheduleEntry({ schedule }: { schedule: Schedule }) {
  const { id, text, enabled, reason, lastRun, misses, nextAt } = schedule;
  const when = whenWords(schedule, (session) => sessionCell(session).get()?.title ?? session);
  return (
    <div className="flex items-center gap-2 px-1.5 py-0.5">
      <Clock size={13} aria-hidden="true" className="shrink-0 text-faint" />
      <span className="min-w-0 grow truncate" title={text}>
        {text}
      </span>
      {!enabled && <Badge title={reason}>{reason ? "stopped" : "paused"}</Badge>}
      {lastRun?.outcome === "failed" && (
        <Badge tone="bad" title={lastRun.error}>
          failed
        </Badge>
      )}
      {misses > 0 && <Badge tone="need">{misses} missed</Badge>}
      <span className="shrink-0 text-xs text-soft" title={nextAt && new Date(nextAt).toLocaleString()}>
        {when}
      </span>
      <Button
        look="quiet"
        label={`Deliver “${text.slice(0, 40)}” now`}
        icon={<RotateCw size={13} />}
        onClick={() => void withSchedules(() => client.schedules.run(id))}
      />
      <Button
        look="quiet"
        label={enabled ? "Pause" : "Go on"}
        icon={enabled ? <Pause size={13} /> : <Play size={13} />}
        onClick={() => void withSchedules(() => client.schedules.change(id, { enabled: !enabled }))}
      />
      <Button
        look="quiet"
        label="Remove the schedule"
        icon={<Trash2 size={13} />}
        onClick={() => void withSchedules(() => client.schedules.delete(id))}
      />
    </div>
  );
}
