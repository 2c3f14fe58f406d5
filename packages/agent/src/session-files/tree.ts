import { SessionError } from "../contract/session.ts";
import type { Entry, SessionStore } from "../contract/session-store.ts";
import { branchPoint } from "./branch-session.ts";

export const TREE_FILTERS = ["default", "no-tools", "user-only", "labeled-only", "all"] as const;
export type TreeFilter = (typeof TREE_FILTERS)[number];

/** A row of a drawn tree. `depth` grows only where the tree forks. */
export type TreeRow = { entry: Entry; label?: string; depth: number; onPath: boolean; isLeaf: boolean };

export type TreeStore = Pick<SessionStore, "entries" | "labels" | "path" | "leafId">;

/** The rows of the tree in drawing order, oldest branch first. Children of filtered entries are still visited. */
export function treeRows(store: TreeStore, filter: TreeFilter = "default"): TreeRow[] {
  const entries = store.entries();
  const labels = store.labels();
  const onPath = new Set(store.path().map(({ id }) => id));
  const shown = new Set(entries.filter((entry) => passes(entry, filter, labels)).map(({ id }) => id));
  const children = Map.groupBy(entries, ({ parentId }) => parentId);
  const rows: TreeRow[] = [];
  // Iterative, because a long session is deeper than the call stack.
  const open: { entry: Entry; depth: number }[] = (children.get(null) ?? [])
    .map((entry) => ({ entry, depth: 0 }))
    .reverse();
  for (let next = open.pop(); next; next = open.pop()) {
    const { entry, depth } = next;
    const { id } = entry;
    if (shown.has(id))
      rows.push({ entry, label: labels.get(id), depth, onPath: onPath.has(id), isLeaf: id === store.leafId });
    const below = children.get(id) ?? [];
    open.push(...below.map((child) => ({ entry: child, depth: depth + (below.length > 1 ? 1 : 0) })).reverse());
  }
  return rows;
}

export type Navigation = { summary?: string; details?: unknown; label?: string };

/**
 * Moves to another entry. For a user message, the new leaf is the entry before it, and its text is returned for editing.
 * A summary of the abandoned branch becomes the first entry of the new branch.
 */
export function navigate(store: SessionStore, entryId: string, options: Navigation = {}): { text?: string } {
  const { leafId, text } = target(store, entryId);
  const { summary, details } = options;
  if (summary) store.append({ type: "branch_summary", fromId: leafId ?? "root", summary, details }, leafId);
  else store.moveTo(leafId);
  if (options.label) setLabel(store, store.leafId ?? entryId, options.label);
  return { text };
}

/** The target of `navigate`. Changes nothing. */
export function target(store: SessionStore, entryId: string): { leafId: string | null; text?: string } {
  const entry = store.entry(entryId);
  if (!entry) throw new SessionError(`There is no entry ${entryId}.`);
  const isUser = entry.type === "message" && entry.message.role === "user";
  return isUser ? branchPoint(store, entryId) : { leafId: entryId };
}

/** Sets a label; without `label`, removes it. */
export function setLabel(store: SessionStore, entryId: string, label?: string): void {
  if (!store.entry(entryId)) throw new SessionError(`There is no entry ${entryId}.`);
  store.append({ type: "label", targetId: entryId, label: label?.trim() || undefined });
}

function passes(entry: Entry, filter: TreeFilter, labels: ReadonlyMap<string, string>): boolean {
  const role = entry.type === "message" ? entry.message.role : undefined;
  if (filter === "all") return true;
  if (filter === "labeled-only") return labels.has(entry.id);
  if (filter === "user-only") return role === "user";
  if (filter === "no-tools" && (role === "toolResult" || onlyCalls(entry))) return false;
  return role !== undefined || ["compaction", "branch_summary", "custom_message"].includes(entry.type);
}

function onlyCalls(entry: Entry): boolean {
  if (entry.type !== "message" || entry.message.role !== "assistant") return false;
  return entry.message.content.length > 0 && !entry.message.content.some(({ type }) => type === "text");
}
