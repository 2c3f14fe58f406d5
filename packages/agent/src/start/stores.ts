import { rmSync } from "node:fs";
import type { SessionStores } from "../contract/ports.ts";
import { SessionError } from "../contract/session.ts";
import type { SessionStore, SessionSummary } from "../contract/session-store.ts";
import { branchSession } from "../session-files/branch-session.ts";
import { findSession, listSessions } from "../session-files/listing.ts";
import { createSessionStore, forkSession, openSessionStore } from "../session-files/open.ts";
import { artifactFolder, type Place } from "../session-files/paths.ts";
import type { AgentOptions } from "./options.ts";

/** The first session. `isCopy`: its file was written now, as a copy of another session. */
export type FirstStore = { store: SessionStore; isCopy: boolean };

/** Opens or creates the first session. Throws a `SessionError` if the requested one does not exist. */
export function firstStore(options: AgentOptions, cwd: string, place: Place): FirstStore {
  if (options.supplied?.store) return { store: options.supplied.store, isCopy: false };
  const found = findRequested(options, cwd, place);
  if (!found) {
    return { store: createSessionStore({ ...place, cwd, inMemory: options.noSession === true }), isCopy: false };
  }
  const store =
    options.fork === undefined
      ? openSessionStore(found.file, { ...place, onHeld: "fork" })
      : forkSession(found.file, { ...place, cwd });
  return { store, isCopy: store.file !== found.file };
}

/** Closes the session of an agent that could not start, and removes a copy that was made for it. */
export function abandonStore({ store, isCopy }: FirstStore): void {
  const { file } = store;
  store.close();
  if (!isCopy || file === undefined) return;
  rmSync(file, { force: true });
  rmSync(artifactFolder(file), { recursive: true, force: true });
}

function findRequested(options: AgentOptions, cwd: string, place: Place): SessionSummary | undefined {
  const named = options.fork ?? options.resume;
  if (named === undefined) return options.continueRecent ? listSessions({ cwd }, place)[0] : undefined;
  const found = findSession(named, cwd, place);
  // The daemon recognises a lost conversation by this text.
  if (!found) throw new SessionError(`No session found matching '${named}'.`);
  return found;
}

/** Creates later sessions like the first one: in the same folder, or in memory. */
export function createStores(first: SessionStore, place: Place): SessionStores {
  const inMemory = first.file === undefined;
  return {
    create: (options) => createSessionStore({ ...place, ...options, inMemory }),
    open: (path) => openSessionStore(path, { ...place, strict: true }),
    branch: (store, leafId) => branchSession(store, leafId, place),
  };
}
