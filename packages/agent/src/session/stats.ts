import type { Usage } from "@gantry/models";
import type { SessionState, SessionStats } from "../contract/session.ts";
import type { SessionStore } from "../contract/session-store.ts";
import { callsOf } from "../loop/draft.ts";
import type { SessionParts } from "./assemble/assemble.ts";
import { plainText } from "./state/queue.ts";
import { SPENT } from "./state/transcript.ts";

export function describeState(parts: SessionParts): SessionState {
  const { choice, permission, driver, queue, settings, transcript, compactor, todos } = parts;
  const { file, header } = transcript.store;
  const usage = compactor.usage();
  return {
    ...(choice.model ? { model: choice.model } : {}),
    thinkingLevel: choice.thinking,
    mode: permission.mode,
    isStreaming: driver.busy,
    isCompacting: compactor.busy,
    steeringMode: queue.steeringMode,
    followUpMode: queue.followUpMode,
    interruptMode: queue.interruptMode,
    ...(file === undefined ? {} : { sessionFile: file }),
    sessionId: header.id,
    ...(header.title === undefined ? {} : { sessionName: header.title }),
    autoCompactionEnabled: settings.compaction.enabled,
    autoRetryEnabled: settings.retry.enabled,
    messageCount: transcript.messages.length,
    queuedMessageCount: queue.size + queue.heldSize,
    heldMessageCount: queue.heldSize,
    todoPhases: todos.phases,
    ...(usage ? { contextUsage: usage } : {}),
  };
}

/** Counts the messages of the current branch, compacted ones included. Usage is counted over the whole file. */
export function statsOf(store: SessionStore): SessionStats {
  const stats: SessionStats = {
    ...(store.file === undefined ? {} : { sessionFile: store.file }),
    sessionId: store.header.id,
    userMessages: 0,
    assistantMessages: 0,
    toolCalls: 0,
    toolResults: 0,
    totalMessages: 0,
    tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    premiumRequests: 0,
    cost: 0,
  };
  for (const entry of store.entries()) {
    if (entry.type === "custom" && entry.customType === SPENT) addUsage(stats, entry.data as Usage);
    if (entry.type === "message" && entry.message.role === "assistant") addUsage(stats, entry.message.usage);
  }
  for (const entry of store.path()) {
    if (entry.type !== "message") continue;
    const { message } = entry;
    stats.totalMessages += 1;
    if (message.role === "user") stats.userMessages += 1;
    if (message.role === "toolResult") stats.toolResults += 1;
    if (message.role !== "assistant") continue;
    stats.assistantMessages += 1;
    stats.toolCalls += callsOf(message).length;
  }
  return stats;
}

/** The user's messages of the current branch, from which a branch can start. */
export function userMessagesOf(store: SessionStore): { entryId: string; text: string }[] {
  return store.path().flatMap((entry) => {
    if (entry.type !== "message" || entry.message.role !== "user") return [];
    return [{ entryId: entry.id, text: plainText(entry.message.content) }];
  });
}

function addUsage(stats: SessionStats, usage: Usage | undefined): void {
  if (!usage) return;
  stats.tokens.input += usage.input;
  stats.tokens.output += usage.output;
  stats.tokens.cacheRead += usage.cacheRead;
  stats.tokens.cacheWrite += usage.cacheWrite;
  stats.tokens.total += usage.totalTokens;
  stats.cost += usage.cost.total;
}
