import { dirname } from "node:path";
import { SessionError } from "../contract/session.ts";
import type { Entry, SessionStore } from "../contract/session-store.ts";
import { createSessionStore } from "./open.ts";
import type { Place } from "./paths.ts";
import type { Store } from "./store.ts";

/**
 * A new session with the entries from the root to this one, it included; `null`: with none. Labels of those entries come
 * along. It lies where `store` lies, in memory if that does.
 */
export function branchSession(store: SessionStore, entryId: string | null, place: Place = {}): SessionStore {
  const path = pathTo(store, entryId);
  const { cwd } = store.header;
  const inMemory = store.file === undefined;
  const dir = place.dir ?? (store.file ? dirname(store.file) : undefined);
  const branch = createSessionStore({ ...place, dir, cwd, inMemory, parentSession: store.file }) as Store;
  for (const entry of path) branch.adopt(entry);
  const labels = [...store.labels()].filter(([targetId]) => branch.entry(targetId));
  for (const [targetId, label] of labels) branch.append({ type: "label", targetId, label });
  return branch;
}

/** Where a new branch begins that asks a user's message anew: at what stood before it, with its words for editing. */
export function branchPoint(store: SessionStore, entryId: string): { leafId: string | null; text: string } {
  const entry = store.entry(entryId);
  if (entry?.type !== "message" || entry.message.role !== "user") {
    throw new SessionError(`Entry ${entryId} is not a message of the user.`);
  }
  return { leafId: entry.parentId, text: textOf(entry.message.content) };
}

export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .flatMap((block: { type?: unknown; text?: unknown }) => (block?.type === "text" ? [String(block.text)] : []))
    .join("\n");
}

function pathTo(store: SessionStore, entryId: string | null): Entry[] {
  const path: Entry[] = [];
  for (let id = entryId; id !== null; ) {
    const entry = store.entry(id);
    if (!entry) throw new SessionError(`There is no entry ${id}.`);
    if (entry.type !== "label") path.push(entry);
    id = entry.parentId;
  }
  return path.reverse();
}
