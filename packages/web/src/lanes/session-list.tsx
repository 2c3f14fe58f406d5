import { orderSessions } from "@gantry/protocol";
import { useState } from "react";
import { useAllSessions } from "../store/sessions/hooks.ts";
import { Button } from "../ui/controls/button.tsx";
import { Badge } from "../ui/display/badge.tsx";
import { SessionLink } from "../ui/display/session-link.tsx";
import { StateDot } from "../ui/display/state-dot.tsx";

const SHOWN = 4;

/** The sessions of a lane by state, with a warning if several agents work there at the same time. The rest is one button. */
export function SessionList({ ids }: { ids: readonly string[] }) {
  const [all, setAll] = useState(false);
  const sessions = orderSessions(useAllSessions().filter((session) => ids.includes(session.id))).map(
    ({ session }) => session,
  );
  if (sessions.length === 0) return null;
  const shown = all ? sessions : sessions.slice(0, SHOWN);
  const writing = sessions.filter((session) => session.turn).length;
  return (
    <ul aria-label="Sessions" className="flex flex-wrap items-center gap-x-4 gap-y-0.5">
      {shown.map((session) => (
        <li key={session.id} className="flex min-w-0 items-center gap-1.5">
          <StateDot session={session} />
          <SessionLink
            id={session.id}
            className="max-w-64 min-w-0 pointer-coarse:min-w-10 truncate text-soft hover:text-ink hover:underline"
          >
            {session.title}
          </SessionLink>
        </li>
      ))}
      {sessions.length > shown.length && (
        <li>
          <Button look="quiet" onClick={() => setAll(true)}>
            {sessions.length - shown.length} more
          </Button>
        </li>
      )}
      {writing > 1 && (
        <li>
          <Badge tone="need">{writing} agents are working in the same folder</Badge>
        </li>
      )}
    </ul>
  );
}
