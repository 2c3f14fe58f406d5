import type { SessionStore, SessionSummary } from "../contract/session-store.ts";
import { continueRecent, findSession, listSessions } from "../session-files/listing.ts";
import { createSessionStore, forkSession, type OpenOptions, openSessionStore } from "../session-files/open.ts";
import type { Place } from "../session-files/paths.ts";

/**
 * Session stores for the option `store` of `createAgentSession`, and the list of stored sessions. `place` names another
 * folder than the usual one. A store belongs to one session at a time, which closes it.
 */
export const sessions = {
  /** A new session. Its file is written at the model's first answer. */
  create: (cwd = process.cwd(), place: Place = {}): SessionStore => createSessionStore({ ...place, cwd }),
  /** A new session that is never written to disk. */
  inMemory: (cwd = process.cwd()): SessionStore => createSessionStore({ cwd, inMemory: true }),
  /** Opens a session file. Throws a `SessionError` if it is missing, is not a session, or is in use by another process. */
  open: (file: string, options: OpenOptions = {}): SessionStore => openSessionStore(file, { strict: true, ...options }),
  /** The last session of the folder, or a new one. */
  continueRecent: (cwd = process.cwd(), place: Place = {}): SessionStore => continueRecent(cwd, place),
  /** Copies a session into a new file, even while another process writes the original. */
  fork: (file: string, options: Place & { cwd?: string } = {}): SessionStore => forkSession(file, options),
  /** The sessions of a folder, newest first. */
  list: (cwd = process.cwd(), place: Place = {}): SessionSummary[] => listSessions({ cwd }, place),
  listAll: (place: Place = {}): SessionSummary[] => listSessions("all", place),
  /** Finds a session by path, id, or the beginning of an id. */
  find: (name: string, cwd = process.cwd(), place: Place = {}): SessionSummary | undefined =>
    findSession(name, cwd, place),
};
