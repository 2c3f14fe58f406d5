import type { AssistantMessage, ToolResultMessage, Usage } from "@gantry/models";
import type { AgentMessage } from "../../contract/messages.ts";
import type { EntryBody, SessionStore } from "../../contract/session-store.ts";
import { callsOf } from "../../loop/draft.ts";
import { unknownResult } from "../../loop/to-model.ts";

/** Types of the session's own custom entries. */
export const PRUNED = "pruned";
export const SPENT = "spent";
const PRUNED_TEXT = "[This output was removed from the conversation to save context.]";

/**
 * The current conversation and its store. A message is stored before it is added here. Messages are never changed in
 * place.
 */
export class Transcript {
  #store: SessionStore;
  #messages: AgentMessage[] = [];
  #entryIds: string[] = [];

  constructor(store: SessionStore) {
    this.#store = store;
    this.reload();
  }

  get store(): SessionStore {
    return this.#store;
  }

  get messages(): readonly AgentMessage[] {
    return this.#messages;
  }

  get entryIds(): readonly string[] {
    return this.#entryIds;
  }

  /** Replaces the session. */
  swap(store: SessionStore): void {
    this.#store = store;
    this.reload();
  }

  record(message: AgentMessage): string {
    const entry = this.#store.append(bodyOf(message));
    this.#messages.push(message);
    this.#entryIds.push(entry.id);
    return entry.id;
  }

  /** Removes this message and all later ones from the conversation; the file keeps them. */
  rewindBefore(message: AgentMessage): void {
    const place = this.#messages.lastIndexOf(message);
    const id = this.#entryIds[place];
    if (place < 0 || id === undefined) return;
    this.#store.moveTo(this.#store.entry(id)?.parentId ?? null);
    this.#messages.length = place;
    this.#entryIds.length = place;
  }

  /** Continues after this entry with this message. The file keeps the entries in between on a branch. */
  rewindTo(entryId: string | null, message: AgentMessage): void {
    this.#store.append(bodyOf(message), entryId);
    this.reload();
  }

  /** Stores usage that no message carries. */
  recordUsage(usage: Usage): void {
    this.#store.append({ type: "custom", customType: SPENT, data: usage });
  }

  /** Removes the text of old results from the conversation, not from the file. */
  prune(ids: readonly string[], at: number): void {
    if (ids.length === 0) return;
    this.#store.append({ type: "custom", customType: PRUNED, data: { ids, at } });
    this.#applyPruned(new Set(ids), at);
  }

  /** Re-reads the branch, and adds a result to calls that were running when a process ended. */
  reload(): void {
    const branch = this.#store.branch();
    this.#messages = [...branch.messages];
    this.#entryIds = [...branch.entryIds];
    for (const entry of this.#store.path()) {
      if (entry.type !== "custom" || entry.customType !== PRUNED) continue;
      const data = entry.data as { ids?: unknown; at?: unknown } | null;
      if (!Array.isArray(data?.ids)) continue;
      this.#applyPruned(new Set(data.ids), typeof data.at === "number" ? data.at : 0);
    }
    for (const each of orphans(this.#messages)) this.record(each);
  }

  #applyPruned(ids: ReadonlySet<unknown>, at: number): void {
    this.#messages = this.#messages.map((message, place) =>
      message.role === "toolResult" && ids.has(this.#entryIds[place]) ? prunedResult(message, at) : message,
    );
  }
}

function prunedResult(message: ToolResultMessage, at: number): ToolResultMessage {
  const { details: _, ...rest } = message;
  return { ...rest, content: [{ type: "text", text: PRUNED_TEXT }], prunedAt: at };
}

/** Results for the calls of the last answer that have none. `toModelMessages` completes earlier ones. */
function orphans(messages: readonly AgentMessage[]): ToolResultMessage[] {
  const last = messages.findLastIndex((each) => each.role !== "toolResult");
  const answer = messages[last];
  if (answer?.role !== "assistant") return [];
  const known = new Set(messages.slice(last + 1).map((each) => (each as ToolResultMessage).toolCallId));
  return callsOf(answer as AssistantMessage)
    .filter((call) => !known.has(call.id))
    .map((call) => unknownResult(call.id, call.name, Date.now()));
}

function bodyOf(message: AgentMessage): EntryBody {
  if (message.role === "branchSummary") {
    const { summary, fromId } = message;
    return { type: "branch_summary", fromId, summary };
  }
  if (message.role !== "custom") return { type: "message", message };
  const { customType, content, display, details } = message;
  return { type: "custom_message", customType, content, display, ...(details === undefined ? {} : { details }) };
}
