import type { SessionView } from "@gantry/protocol";

const MOST = 12;

/** Folders of the sessions, the one that was worked in last first. */
export function recentFolders(sessions: readonly SessionView[]): string[] {
  return [...new Set(sessions.map((session) => session.cwd))].slice(0, MOST);
}
