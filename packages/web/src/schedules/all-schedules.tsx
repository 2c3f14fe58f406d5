import type { Schedule, ScheduledSession } from "@gantry/protocol";
import { CalendarClock, Plus } from "lucide-react";
import { useState } from "react";
import { modeNames } from "../composer/choices/choices.ts";
import { agents } from "../store/agents.ts";
import { useCell } from "../store/cell.ts";
import { client } from "../store/connection/client.ts";
import { sessionCell } from "../store/sessions/sessions.ts";
import { Button } from "../ui/controls/button.tsx";
import { Ago } from "../ui/display/ago.tsx";
import { Empty } from "../ui/display/empty.tsx";
import { SessionLink } from "../ui/display/session-link.tsx";
import { useQuery } from "../ui/load/use-query.ts";
import { NewScheduleDialog } from "./schedule-dialog.tsx";
import { ScheduleEntry } from "./schedule-entry.tsx";
import { timingText } from "./timing.ts";
import { useSchedules } from "./use-schedules.ts";

/** The schedules of all sessions, and those that start sessions. */
export function AllSchedules() {
  const schedules = useSchedules();
  const [adding, setAdding] = useState(false);
  const close = () => setAdding(false);
  const add = (
    <Button icon={<Plus size={14} />} onClick={() => setAdding(true)}>
      Schedule a session
    </Button>
  );
  return (
    <>
      {schedules.length === 0 ? (
        <Empty title="Nothing is scheduled" icon={<CalendarClock size={28} strokeWidth={1.5} />}>
          <p>
            Start sessions at a set time, repeatedly, or when another session ends. The clock button next to a message
            schedules that message.
          </p>
          {add}
        </Empty>
      ) : (
        <>
          <div className="flex justify-end pb-2">{add}</div>
          <ul aria-label="Schedules" className="divide-y divide-line">
            {schedules.map((schedule) => (
              <li key={schedule.id} className="py-1.5">
                <Target schedule={schedule} />
                <ScheduleEntry schedule={schedule} />
                <Runs schedule={schedule} />
              </li>
            ))}
          </ul>
        </>
      )}
      {adding && <NewScheduleDialog onClose={close} onDone={close} />}
    </>
  );
}

/** The session that gets the message, or the settings of the session that each run starts. */
function Target({ schedule: { session, create } }: { schedule: Schedule }) {
  if (create) return <Template create={create} />;
  if (!session) return null;
  return (
    <p className="truncate px-1.5 text-xs text-faint">
      <SessionLink id={session} className="hover:underline">
        {sessionCell(session).get()?.title ?? session}
      </SessionLink>
    </p>
  );
}

function Template({ create: { agent, model, mode, cwd, lane, folders = [] } }: { create: ScheduledSession }) {
  const rows = useCell(agents);
  const { value } = useQuery(`lanes ${lane}`, async () =>
    lane === undefined ? undefined : client.call("listLanes", { query: { archived: "all" } }),
  );
  const parts = [
    `New session with ${rows.find(({ id }) => id === agent)?.name ?? agent}`,
    model,
    mode && modeNames[mode],
    lane ? `lane ${value?.lanes.find(({ id }) => id === lane)?.name ?? lane}` : cwd,
    folders.length > 0 && `+${folders.length} ${folders.length === 1 ? "folder" : "folders"}`,
  ];
  const text = parts.filter(Boolean).join(" · ");
  return (
    <p className="truncate px-1.5 text-xs text-faint" title={text}>
      {text}
    </p>
  );
}

/** When it runs next, when it ran last and in which session, or why it no longer runs. */
function Runs({ schedule }: { schedule: Schedule }) {
  const { lastRun, reason, create, enabled, nextAt, at } = schedule;
  const problem = lastRun?.error ?? (enabled ? undefined : reason);
  const next = enabled && at === undefined ? nextAt : undefined;
  if (!lastRun && !problem && !next) return null;
  return (
    <p className="px-1.5 text-xs text-faint">
      {[
        next && <span key="next">Next {timingText({ at: next }, String)}</span>,
        lastRun && (
          <span key="last">
            Last run <Ago at={lastRun.at} phrase />
            {create && lastRun.session && ": "}
            {create && lastRun.session && (
              <SessionLink id={lastRun.session} className="text-soft hover:underline">
                {sessionCell(lastRun.session).get()?.title ?? "the session"}
              </SessionLink>
            )}
          </span>
        ),
        problem && <span key="problem">{problem}</span>,
      ]
        .filter(Boolean)
        .flatMap((part, index) => (index === 0 ? [part] : [" · ", part]))}
    </p>
  );
}
