import type { AssistantMessage, ToolResultMessage, Usage } from "@gantry/models";
import type { AgentMessage } from "../../contract/messages.ts";
import type { EntryBody, SessionStore } from "../../contract/session-store.ts";
import { callsOf } from "../../loop/draft.ts";
import { unknownResult } from "../../loop/to-model.ts";

/** Custom entries of the session itself. */
export const PRUNED = "pruned";
export const SPENT = "spent";
const PRUNED_TEXT = "[This output was taken out of the conversation to make room.]";

/**
 * The conversation as it is now, and its store. What is recorded is in the store before it is here. Messages are never
 * changed in place.
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

  /** Another session takes the place of this one. */
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

  /** Takes this message and what came after it out of the conversation; the file keeps them. */
  rewindBefore(message: AgentMessage): void {
    const place = this.#messages.lastIndexOf(message);
    const id = this.#entryIds[place];
    if (place < 0 || id === undefined) return;
    this.#store.moveTo(this.#store.entry(id)?.parentId ?? null);
    this.#messages.length = place;
    this.#entryIds.length = place;
  }

  /** The conversation goes on after this entry, with this message; the file keeps what came between, on a branch. */
  rewindTo(entryId: string | null, message: AgentMessage): void {
    this.#store.append(bodyOf(message), entryId);
    this.reload();
  }

  /** What was paid for that no message shows. */
  recordUsage(usage: Usage): void {
    this.#store.append({ type: "custom", customType: SPENT, data: usage });
  }

  /** Takes the text of old results out of the conversation, not out of the file. */
  prune(ids: readonly string[], at: number): void {
    if (ids.length === 0) return;
    this.#store.append({ type: "custom", customType: PRUNED, data: { ids, at } });
    this.#applyPruned(new Set(ids), at);
  }

  /** Reads the branch anew, and gives a result to calls that were running when a process ended. */
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

/** Results for the calls of the last answer that have none; earlier ones get theirs whenever a model is told. */
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
