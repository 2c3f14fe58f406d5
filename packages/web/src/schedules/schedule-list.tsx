import { ScheduleEntry } from "./schedule-entry.tsx";
import { useSchedules } from "./use-schedules.ts";

/** What is sent to a session later; nothing where nothing is. */
export function ScheduleList({ session }: { session: string }) {
  const mine = useSchedules().filter((schedule) => schedule.session === session && !isSpent(schedule));
  if (mine.length === 0) return null;
  return (
    <section aria-label="Scheduled messages" className="border-b border-line px-1.5 py-1.5">
      <ul className="max-h-[20vh] overflow-y-auto">
        {mine.map((schedule) => (
          <li key={schedule.id}>
            <ScheduleEntry schedule={schedule} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Sent once, as it was meant to be. */
function isSpent({
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
