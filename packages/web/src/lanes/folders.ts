import type { SessionView } from "@gantry/protocol";

/** A folder in which sessions work; `lane` where it has a name of its own. */
export type WorkFolder = { path: string; lane?: string; sessions: SessionView[] };

/** Folders with their sessions that are not archived, the last used first. */
export function workFolders(sessions: readonly SessionView[]): WorkFolder[] {
  const folders = new Map<string, WorkFolder>();
  for (const session of sessions) {
    if (session.archived) continue;
    const folder = folders.get(session.cwd) ?? { path: session.cwd, lane: session.lane, sessions: [] };
    folder.sessions.push(session);
    folders.set(session.cwd, folder);
  }
  return [...folders.values()];
}
