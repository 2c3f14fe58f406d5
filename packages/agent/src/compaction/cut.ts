import type { AgentMessage } from "../contract/messages.ts";
import { estimateTokens } from "./estimate.ts";

/**
 * What a compaction does with a conversation: `history` is summed up, then the beginning of a turn that is cut in the
 * middle, and what begins at `keptFrom` stays as it is.
 */
export type Cut = { history: AgentMessage[]; turnPrefix: AgentMessage[]; keptFrom: number };

/** Where to cut so that about `keepRecent` tokens stay; nothing if there is nothing before that. Pure. */
export function findCut(messages: readonly AgentMessage[], keepRecent: number): Cut | undefined {
  const start = messages[0]?.role === "compactionSummary" ? 1 : 0;
  const keptFrom = validFrom(messages, start, reach(messages, start, keepRecent));
  if (keptFrom <= start) return undefined;
  const turnStart = beginsTurn(messages[keptFrom]) ? keptFrom : lastTurnStart(messages, start, keptFrom);
  return {
    history: messages.slice(start, turnStart),
    turnPrefix: messages.slice(turnStart, keptFrom),
    keptFrom,
  };
}

/** The place from which on there are at least so many tokens. */
function reach(messages: readonly AgentMessage[], start: number, keepRecent: number): number {
  let sum = 0;
  for (let place = messages.length - 1; place >= start; place -= 1) {
    sum += estimateTokens(messages[place]!);
    if (sum >= keepRecent) return place;
  }
  return start;
}

/** A result without its call is no conversation: the next place that is none, or else the last one before. */
function validFrom(messages: readonly AgentMessage[], start: number, wanted: number): number {
  if (wanted <= start) return start;
  for (let place = wanted; place < messages.length; place += 1) {
    if (messages[place]!.role !== "toolResult") return place;
  }
  for (let place = wanted; place > start; place -= 1) {
    if (messages[place]!.role !== "toolResult") return place;
  }
  return start;
}

function lastTurnStart(messages: readonly AgentMessage[], start: number, before: number): number {
  for (let place = before - 1; place >= start; place -= 1) {
    if (beginsTurn(messages[place])) return place;
  }
  return start;
}

function beginsTurn(message: AgentMessage | undefined): boolean {
  return message?.role === "user" || message?.role === "branchSummary";
}
