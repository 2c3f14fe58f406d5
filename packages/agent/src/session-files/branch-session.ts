import { dirname } from "node:path";
import { SessionError } from "../contract/session.ts";
import type { Entry, SessionStore } from "../contract/session-store.ts";
import { createSessionStore } from "./open.ts";
import type { Place } from "./paths.ts";
import type { Store } from "./store.ts";

/**
 * Creates a session with the entries from the root to this one, inclusive; `null`: none. Their labels are copied. The
 * new file is in the same folder as `store`, or in memory if `store` is.
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

/** The start of a branch that edits a user message: the entry before it, and its text. */
export function branchPoint(store: SessionStore, entryId: string): { leafId: string | null; text: string } {
  const entry = store.entry(entryId);
  if (entry?.type !== "message" || entry.message.role !== "user") {
    throw new SessionError(`Entry ${entryId} is not a user message.`);
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
