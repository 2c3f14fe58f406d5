import type { Schedule } from "@gantry/protocol";
import { Clock, Pause, Pencil, Play, RotateCw, Trash2 } from "lucide-react";
import { useState } from "react";
import { client } from "../store/connection/client.ts";
import { sessionCell } from "../store/sessions/sessions.ts";
import { Button } from "../ui/controls/button.tsx";
import { Badge } from "../ui/display/badge.tsx";
import { lazyView } from "../ui/load/lazy-view.tsx";
import { timingText } from "./timing.ts";
import { changeSchedule } from "./use-schedules.ts";

const ChangeScheduleDialog = lazyView(async () => ({
  default: (await import("./schedule-dialog.tsx")).ChangeScheduleDialog,
}));

/** One schedule: note or message, timing, the result of the last run, and what can be done with it. */
export function ScheduleEntry({ schedule }: { schedule: Schedule }) {
  const { text, note, enabled, reason, lastRun, misses, nextAt } = schedule;
  const when = timingText(schedule, (session) => sessionCell(session).get()?.title ?? session);
  return (
    <div className="flex flex-wrap items-center gap-x-2 px-1.5 py-0.5">
      <Clock size={13} aria-hidden="true" className="shrink-0 text-faint" />
      <span className="min-w-0 grow basis-48 truncate" title={text}>
        {note || text}
      </span>
      <div className="ml-auto flex min-w-0 items-center gap-x-2 max-sm:w-full max-sm:pl-5">
        {!enabled && <Badge title={reason}>{reason ? "Stopped" : "Paused"}</Badge>}
        {lastRun?.outcome === "failed" && (
          <Badge tone="bad" title={lastRun.error}>
            Failed
          </Badge>
        )}
        {lastRun?.outcome === "waiting" && (
          <Badge tone="need" title={lastRun.error}>
            Waiting
          </Badge>
        )}
        {misses > 0 && <Badge tone="need">{misses} missed</Badge>}
        <span
          className="min-w-0 truncate text-xs text-soft max-sm:grow"
          title={nextAt && `Next: ${new Date(nextAt).toLocaleString()}`}
        >
          {when}
        </span>
        <EntryButtons schedule={schedule} />
      </div>
    </div>
  );
}

function EntryButtons({ schedule }: { schedule: Schedule }) {
  const { id, text, note, enabled, every, runs } = schedule;
  // A schedule that has run once needs a new time instead.
  const isDone = !enabled && every === undefined && runs > 0;
  const [changing, setChanging] = useState(false);
  return (
    <div className="flex shrink-0">
      <Button
        look="quiet"
        label={`Send “${(note || text).slice(0, 40)}” now`}
        icon={<RotateCw size={13} />}
        onClick={() => void changeSchedule(() => client.schedules.run(id))}
      />
      <Button look="quiet" label="Change schedule" icon={<Pencil size={13} />} onClick={() => setChanging(true)} />
      {!isDone && (
        <Button
          look="quiet"
          label={enabled ? "Pause" : "Resume"}
          icon={enabled ? <Pause size={13} /> : <Play size={13} />}
          onClick={() => void changeSchedule(() => client.schedules.change(id, { enabled: !enabled }))}
        />
      )}
      <Button
        look="quiet"
        label="Remove schedule"
        icon={<Trash2 size={13} />}
        onClick={() => void changeSchedule(() => client.schedules.delete(id))}
      />
      {changing && <ChangeScheduleDialog schedule={schedule} onClose={() => setChanging(false)} />}
    </div>
  );
}
