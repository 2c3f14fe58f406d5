import { useAllSessions } from "../store/sessions/hooks.ts";
import { Badge } from "../ui/display/badge.tsx";
import { SessionLink } from "../ui/display/session-link.tsx";
import { StateDot } from "../ui/display/state-dot.tsx";

/** The sessions of a lane, with a warning if several agents work there at the same time. */
export function SessionList({ ids }: { ids: readonly string[] }) {
  const sessions = useAllSessions().filter((session) => ids.includes(session.id));
  if (sessions.length === 0) return null;
  const writing = sessions.filter((session) => session.turn).length;
  return (
    <ul aria-label="Sessions" className="flex flex-wrap items-center gap-x-4 gap-y-0.5">
      {sessions.map((session) => (
        <li key={session.id} className="flex min-w-0 items-center gap-1.5">
          <StateDot session={session} />
          <SessionLink id={session.id} className="max-w-64 min-w-0 truncate text-soft hover:text-ink hover:underline">
            {session.title}
          </SessionLink>
        </li>
      ))}
      {writing > 1 && (
        <li>
          <Badge tone="need">{writing} agents are working in the same folder</Badge>
        </li>
      )}
    </ul>
  );
}
