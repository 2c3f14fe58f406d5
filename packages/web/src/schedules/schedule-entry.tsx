import type { Schedule } from "@gantry/protocol";
import { Clock, Pause, Play, RotateCw, Trash2 } from "lucide-react";
import { client } from "../store/connection/client.ts";
import { sessionCell } from "../store/sessions/sessions.ts";
import { Button } from "../ui/controls/button.tsx";
import { Badge } from "../ui/display/badge.tsx";
import { timingText } from "./timing.ts";
import { changeSchedule } from "./use-schedules.ts";

/** One scheduled message: text, timing and the result of the last run. */
export function ScheduleEntry({ schedule }: { schedule: Schedule }) {
  const { id, text, enabled, reason, lastRun, misses, nextAt } = schedule;
  const when = timingText(schedule, (session) => sessionCell(session).get()?.title ?? session);
  return (
    <div className="flex items-center gap-2 px-1.5 py-0.5">
      <Clock size={13} aria-hidden="true" className="shrink-0 text-faint" />
      <span className="min-w-0 grow truncate" title={text}>
        {text}
      </span>
      {!enabled && <Badge title={reason}>{reason ? "Stopped" : "Paused"}</Badge>}
      {lastRun?.outcome === "failed" && (
        <Badge tone="bad" title={lastRun.error}>
          Failed
        </Badge>
      )}
      {misses > 0 && <Badge tone="need">{misses} missed</Badge>}
      <span className="shrink-0 text-xs text-soft" title={nextAt && new Date(nextAt).toLocaleString()}>
        {when}
      </span>
      <Button
        look="quiet"
        label={`Send “${text.slice(0, 40)}” now`}
        icon={<RotateCw size={13} />}
        onClick={() => void changeSchedule(() => client.schedules.run(id))}
      />
      <Button
        look="quiet"
        label={enabled ? "Pause" : "Resume"}
        icon={enabled ? <Pause size={13} /> : <Play size={13} />}
        onClick={() => void changeSchedule(() => client.schedules.change(id, { enabled: !enabled }))}
      />
      <Button
        look="quiet"
        label="Remove schedule"
        icon={<Trash2 size={13} />}
        onClick={() => void changeSchedule(() => client.schedules.delete(id))}
      />
    </div>
  );
}
