import type { AgentEvent } from "../contract/events.ts";
import type { SessionStores } from "../contract/ports.ts";
import type { Rules } from "../contract/rules.ts";
import type { SessionStore } from "../contract/session-store.ts";
import { branchSession } from "../session-files/branch-session.ts";
import { createSessionStore, openSessionStore } from "../session-files/open.ts";
import type { SessionParts } from "./assemble/assemble.ts";
import { modelName } from "./state/model-choice.ts";
import { ToolMemoryStore } from "./state/tool-memory.ts";

/** Makes `next` the session's store, closes the previous one and restores all state from `next`. */
export async function adoptStore(
  parts: SessionParts,
  rules: Rules | undefined,
  next: SessionStore,
  emit: (event: AgentEvent) => void,
): Promise<void> {
  const { transcript, choice, permission, todos, marks, previews, memory, fallback } = parts;
  const previous = transcript.store;
  const previousModel = choice.model;
  transcript.swap(next);
  previous.close();
  previews.clear();
  fallback.forget();
  const previousMemory = memory.now;
  memory.now = new ToolMemoryStore();
  await previousMemory.dispose();
  rules?.restore(next.branch().injectedRules);
  if (transcript.messages.length > 0) choice.restore();
  else choice.persist();
  permission.restore();
  todos.restore();
  marks.restore();
  if (choice.model && choice.model !== previousModel) {
    emit({ type: "model_changed", model: modelName(choice.model), thinkingLevel: choice.thinking });
  }
  emit(nameChanged(next));
}

/** Clients re-read the conversation on this event, so it is sent after every switch, even if the name is the same. */
export function nameChanged({ header }: SessionStore): AgentEvent {
  return { type: "session_info_changed", ...(header.title ? { name: header.title } : {}) };
}

/** Creates new sessions in the folder of the first one. */
export function storesNextTo(store: SessionStore): SessionStores {
  return {
    create: (options) => createSessionStore({ ...options, inMemory: store.file === undefined }),
    open: (path) => openSessionStore(path, { strict: true }),
    branch: branchSession,
  };
}
