import type { AgentMessage } from "../contract/messages.ts";
import { estimateTokens } from "./estimate.ts";

/**
 * How a compaction divides a conversation: `history` is summarised, then `turnPrefix`, the beginning of a turn that is
 * cut in the middle. Messages from `recentFrom` on stay unchanged.
 */
export type Cut = { history: AgentMessage[]; turnPrefix: AgentMessage[]; recentFrom: number };

/** The cut that keeps about `keepRecent` tokens; `undefined` if nothing comes before them. Pure. */
export function findCut(messages: readonly AgentMessage[], keepRecent: number): Cut | undefined {
  const start = messages[0]?.role === "compactionSummary" ? 1 : 0;
  const recentFrom = validFrom(messages, start, reach(messages, start, keepRecent));
  if (recentFrom <= start) return undefined;
  const turnStart = beginsTurn(messages[recentFrom]) ? recentFrom : lastTurnStart(messages, start, recentFrom);
  return {
    history: messages.slice(start, turnStart),
    turnPrefix: messages.slice(turnStart, recentFrom),
    recentFrom,
  };
}

/** The index from which the rest has at least `keepRecent` tokens. */
function reach(messages: readonly AgentMessage[], start: number, keepRecent: number): number {
  let sum = 0;
  for (let place = messages.length - 1; place >= start; place -= 1) {
    sum += estimateTokens(messages[place]!);
    if (sum >= keepRecent) return place;
  }
  return start;
}

/** A result must not be separated from its call: the next index that is not a result, else the last one before. */
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
