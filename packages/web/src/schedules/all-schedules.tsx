import { CalendarClock } from "lucide-react";
import { sessionCell } from "../store/sessions/sessions.ts";
import { Empty } from "../ui/display/empty.tsx";
import { SessionLink } from "../ui/display/session-link.tsx";
import { ScheduleEntry } from "./schedule-entry.tsx";
import { useSchedules } from "./use-schedules.ts";

/** The scheduled messages of all sessions. */
export function AllSchedules() {
  const schedules = useSchedules();
  if (schedules.length === 0)
    return (
      <Empty title="Nothing is scheduled" icon={<CalendarClock size={28} strokeWidth={1.5} />}>
        <p>
          Use the clock button next to a session's message to send it at a set time, repeatedly, or when another session
          ends.
        </p>
      </Empty>
    );
  return (
    <ul className="divide-y divide-line">
      {schedules.map((schedule) => (
        <li key={schedule.id} className="py-1.5">
          <p className="px-1.5 text-xs text-faint">
            {schedule.session ? (
              <SessionLink id={schedule.session} className="hover:underline">
                {sessionCell(schedule.session).get()?.title ?? schedule.session}
              </SessionLink>
            ) : (
              `New session with ${schedule.create?.agent}`
            )}
          </p>
          <ScheduleEntry schedule={schedule} />
        </li>
      ))}
    </ul>
  );
}
