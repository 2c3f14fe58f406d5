import { lastActivity, type SessionView } from "@gantry/protocol";
import { memo, useEffect, useMemo, useRef } from "react";
import { useCardMenu } from "../../board/use-card-menu.tsx";
import { useCell } from "../../store/cell.ts";
import { projects, sessionsOf, useShownProject } from "../../store/projects.ts";
import { useSessions } from "../../store/sessions/hooks.ts";
import { openSessions } from "../../store/sessions/open-sessions.ts";
import { isUnread, seen } from "../../store/sessions/seen.ts";
import { unloadedSessions } from "../../store/sessions/sessions.ts";
import { classes } from "../../ui/classes.ts";
import { openContextMenu } from "../../ui/controls/context-menu.tsx";
import { Ago } from "../../ui/display/ago.tsx";
import { SessionLink } from "../../ui/display/session-link.tsx";
import { StateDot } from "../../ui/display/state-dot.tsx";
import { groupSessions } from "./session-groups.ts";

/** One link per session that is not archived, grouped by state. The open session is scrolled into view. */
export function SessionList({ here }: { here: string }) {
  const everything = useSessions();
  const allProjects = useCell(projects);
  const project = useShownProject();
  const sessions = useMemo(() => sessionsOf(everything, project, allProjects), [everything, project, allProjects]);
  const marks = useCell(seen);
  const pins = useMemo(() => new Set(allProjects.flatMap((one) => one.pins)), [allProjects]);
  const groups = useMemo(
    () =>
      groupSessions(
        sessions.filter((session) => !session.archived),
        pins,
      ),
    [sessions, pins],
  );
  const open = openSessions(here);
  const unloaded = useCell(unloadedSessions);
  const list = useRef<HTMLElement>(null);
  const isListed = groups.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another open session, or the first list, scrolls.
  useEffect(() => {
    list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [here, isListed]);
  return (
    <nav ref={list} aria-label="Sessions" className="min-h-0 grow overflow-y-auto border-t border-line px-2 pb-2">
      {groups.map(({ id, name, count, folders }) => (
        <div key={id} className="pt-2">
          <h2 className="flex gap-1.5 px-2 pb-0.5 text-2xs font-semibold text-soft">
            {name}
            <span className="font-normal text-faint tabular-nums">
              {count + (id === "done" && !project ? unloaded : 0)}
            </span>
          </h2>
          {folders.map(({ folder, name: folderName, sessions: inside }) => (
            <div key={folder}>
              {folderName && (
                <h3 title={folder} className="truncate px-2 pt-1 pb-0.5 text-2xs text-faint">
                  {folderName}
                </h3>
              )}
              {inside.map((session) => (
                <SessionRow
                  key={session.id}
                  session={session}
                  here={open.includes(session.id)}
                  unread={isUnread(session, marks)}
                />
              ))}
            </div>
          ))}
        </div>
      ))}
    </nav>
  );
}

type SessionRowProps = { session: SessionView; here: boolean; unread: boolean };

const SessionRow = memo(function SessionRow({ session, here, unread }: SessionRowProps) {
  // The age is outside the link, so that the link's accessible name is the title alone.
  const menu = useCardMenu(session, false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the menu key opens the same menu on the link.
    <div
      onContextMenu={(event) => openContextMenu(event, session.title, menu)}
      className="relative [contain-intrinsic-size:auto_1.75rem] [content-visibility:auto]"
    >
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
        at={lastActivity(session).at}
        className="pointer-events-none absolute top-1.5 right-2 text-2xs text-faint tabular-nums"
      />
    </div>
  );
});
