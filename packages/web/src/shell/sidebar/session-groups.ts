import {
  compareStatuses,
  groupNames,
  type SessionGroup,
  type SessionView,
  sessionGroups,
  sessionStatus,
} from "@gantry/protocol";

export type SidebarFolder = { folder: string; name: string; sessions: SessionView[] };

/** One group of the sidebar: the pinned sessions, or those of a state, in "Done" by folder. */
export type SidebarGroup = { id: SessionGroup | "pinned"; name: string; count: number; folders: SidebarFolder[] };

/**
 * The pinned sessions, then the others by state, in the order of every list. Those that are done are grouped by folder, the folder with the latest
 * activity first. The order changes when a turn starts, asks or ends, but not with every event, so that the list does not
 * move under the pointer.
 */
export function groupSessions(sessions: readonly SessionView[], pins: ReadonlySet<string> = new Set()): SidebarGroup[] {
  const now = new Date();
  const entries = sessions
    .map((session) => ({ session, status: sessionStatus(session, now) }))
    .sort((a, b) => compareStatuses(a.status, b.status));
  const pinned = entries.map(({ session }) => session).filter(({ id }) => pins.has(id));
  const pinnedGroup: SidebarGroup = {
    id: "pinned",
    name: "Pinned",
    count: pinned.length,
    folders: [{ folder: "", name: "", sessions: pinned }],
  };
  const groups = sessionGroups.flatMap((id): SidebarGroup[] => {
    const inside = entries
      .filter(({ session, status }) => status.group === id && !pins.has(session.id))
      .map(({ session }) => session);
    if (inside.length === 0) return [];
    const folders = id === "done" ? byFolder(inside) : [{ folder: "", name: "", sessions: inside }];
    return [{ id, name: groupNames[id], count: inside.length, folders }];
  });
  return pinned.length > 0 ? [pinnedGroup, ...groups] : groups;
}

function byFolder(sessions: readonly SessionView[]): SidebarFolder[] {
  const folders = Map.groupBy(sessions, (session) => session.cwd);
  return [...folders].map(([folder, inside]) => ({ folder, name: lastPart(folder), sessions: inside }));
}

function lastPart(folder: string): string {
  return folder.split("/").filter(Boolean).at(-1) ?? folder;
}
