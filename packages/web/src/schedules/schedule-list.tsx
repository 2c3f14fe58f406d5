import { ScheduleEntry } from "./schedule-entry.tsx";
import { useSchedules } from "./use-schedules.ts";

/** The scheduled messages of a session. */
export function ScheduleList({ session }: { session: string }) {
  const own = useSchedules().filter((schedule) => schedule.session === session && !isFinished(schedule));
  if (own.length === 0) return null;
  return (
    <section aria-label="Scheduled messages" className="border-b border-line px-1.5 py-1.5">
      <ul className="max-h-[20vh] overflow-y-auto">
        {own.map((schedule) => (
          <li key={schedule.id}>
            <ScheduleEntry schedule={schedule} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Whether a one-time schedule has run successfully. */
function isFinished({
  every,
  enabled,
  runs,
  reason,
}: {
  every?: unknown;
  enabled: boolean;
  runs: number;
  reason?: string;
}): boolean {
  return every === undefined && !enabled && runs > 0 && reason === undefined;
}
