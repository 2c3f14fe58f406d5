import type { SessionStores } from "../contract/ports.ts";
import { SessionError } from "../contract/session.ts";
import type { SessionStore } from "../contract/session-store.ts";
import { branchSession } from "../session-files/branch-session.ts";
import { continueRecent, findSession } from "../session-files/listing.ts";
import { createSessionStore, forkSession, openSessionStore } from "../session-files/open.ts";
import type { Place } from "../session-files/paths.ts";
import type { AgentOptions } from "./options.ts";

/** Opens or creates the first session. Throws a `SessionError` if the requested one does not exist. */
export function firstStore(options: AgentOptions, cwd: string, place: Place): SessionStore {
  const named = options.fork ?? options.resume;
  if (named !== undefined) {
    const found = findSession(named, cwd, place);
    if (!found) throw new SessionError(`No session found matching '${named}'.`);
    if (options.fork !== undefined) return forkSession(found.file, { ...place, cwd });
    return openSessionStore(found.file, { ...place, onHeld: "fork" });
  }
  if (options.continueRecent) return continueRecent(cwd, place);
  return createSessionStore({ ...place, cwd, inMemory: options.noSession === true });
}

/** Creates later sessions like the first one: in the same folder, or in memory. */
export function createStores(first: SessionStore, place: Place): SessionStores {
  const inMemory = first.file === undefined;
  return {
    create: (options) => createSessionStore({ ...place, ...options, inMemory }),
    open: (path) => openSessionStore(path, place),
    branch: (store, leafId) => branchSession(store, leafId, place),
  };
}
