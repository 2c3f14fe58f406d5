import type { SessionView } from "@gantry/protocol";
import { memo, useMemo } from "react";
import { useCell } from "../../store/cell.ts";
import { useSessions } from "../../store/sessions/hooks.ts";
import { isUnread, seen } from "../../store/sessions/seen.ts";
import { classes } from "../../ui/classes.ts";
import { Ago } from "../../ui/display/ago.tsx";
import { SessionLink } from "../../ui/display/session-link.tsx";
import { StateDot } from "../../ui/display/state-dot.tsx";
import { groupByFolder } from "./session-groups.ts";

/** One link per session that is not archived, grouped by folder. */
export function SessionList({ here }: { here: string }) {
  const sessions = useSessions();
  const marks = useCell(seen);
  const groups = useMemo(() => groupByFolder(sessions.filter((session) => !session.archived)), [sessions]);
  return (
    <nav aria-label="Sessions" className="min-h-0 grow overflow-y-auto border-t border-line px-2 pb-2">
      {groups.map(({ folder, name, sessions: inside }) => (
        <div key={folder} className="pt-2">
          <h2 title={folder} className="truncate px-2 pb-0.5 text-2xs font-medium text-faint">
            {name}
          </h2>
          {inside.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              here={here === `/s/${session.id}`}
              unread={isUnread(session, marks)}
            />
          ))}
        </div>
      ))}
    </nav>
  );
}

type SessionRowProps = { session: SessionView; here: boolean; unread: boolean };

const SessionRow = memo(function SessionRow({ session, here, unread }: SessionRowProps) {
  // The age is outside the link, so that the link's accessible name is the title alone.
  return (
    <div className="relative [contain-intrinsic-size:auto_1.75rem] [content-visibility:auto]">
      <SessionLink
        id={session.id}
        aria-label={session.title}
        aria-current={here ? "page" : undefined}
        className={classes(
          "flex h-7 items-center gap-2 rounded-md pr-11 pl-2 hover:bg-hover",
          here ? "bg-hover text-ink" : "text-soft",
        )}
      >
        <StateDot session={session} />
        <span className={classes("grow truncate", unread && "font-semibold text-ink")}>{session.title}</span>
      </SessionLink>
      <Ago
        at={session.updatedAt}
        className="pointer-events-none absolute top-1.5 right-2 text-2xs text-faint tabular-nums"
      />
    </div>
  );
});
