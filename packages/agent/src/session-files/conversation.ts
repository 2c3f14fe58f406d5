import type { AgentMessage } from "../contract/messages.ts";
import type { Branch, Entry } from "../contract/session-store.ts";
import type { EntryNode } from "./disk/read.ts";

/**
 * Converts a path through the tree into a conversation. Messages that a compaction has summarised are not even parsed.
 */
export function readConversation(path: readonly EntryNode[]): Branch {
  const branch: Branch = { messages: [], entryIds: [], injectedRules: [] };
  const { from, compaction, at } = lastCompaction(path);
  if (compaction) {
    const { summary, tokensBefore, timestamp, id } = compaction;
    branch.messages.push({ role: "compactionSummary", summary, tokensBefore, timestamp: Date.parse(timestamp) });
    branch.entryIds.push(id);
  }
  for (const [index, node] of path.entries()) {
    if (index === at || (MESSAGE_TYPES.has(node.type) && index < from)) continue;
    const entry = node.body();
    if (entry) applyEntry(branch, entry);
  }
  return branch;
}

const MESSAGE_TYPES = new Set(["message", "custom_message", "branch_summary"]);

type Compaction = Extract<Entry, { type: "compaction" }>;

function lastCompaction(path: readonly EntryNode[]): { from: number; at: number; compaction?: Compaction } {
  for (let at = path.length - 1; at >= 0; at--) {
    const entry = path[at]!.type === "compaction" ? path[at]!.body() : undefined;
    if (entry?.type !== "compaction") continue;
    const first = path.findIndex(({ id }) => id === entry.firstKeptEntryId);
    return { compaction: entry, at, from: first === -1 || first > at ? at : first };
  }
  return { from: 0, at: -1 };
}

function applyEntry(branch: Branch, entry: Entry): void {
  const message = messageOf(entry);
  if (message) {
    branch.messages.push(message);
    branch.entryIds.push(entry.id);
  }
  if (entry.type === "thinking_level_change") branch.thinkingLevel = entry.thinkingLevel;
  if (entry.type === "model_change" && (entry.role ?? "default") === "default") branch.model = entry.model;
  if (entry.type === "mode_change") branch.mode = entry.mode;
  if (entry.type === "ttsr_injection") {
    branch.injectedRules.push(...entry.injectedRules.filter((name) => !branch.injectedRules.includes(name)));
  }
}

function messageOf(entry: Entry): AgentMessage | undefined {
  const timestamp = Date.parse(entry.timestamp);
  if (entry.type === "message") return entry.message;
  if (entry.type === "custom_message") {
    const { customType, display, details } = entry;
    const content = entry.content as Extract<AgentMessage, { role: "custom" }>["content"];
    return { role: "custom", customType, content, display, details, timestamp };
  }
  if (entry.type === "branch_summary") {
    return { role: "branchSummary", summary: entry.summary, fromId: entry.fromId, timestamp };
  }
  return undefined;
}
