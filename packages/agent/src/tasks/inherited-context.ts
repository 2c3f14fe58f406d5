import { estimateTextTokens } from "../compaction/estimate.ts";
import { transcriptText } from "../compaction/prompts.ts";
import type { AgentMessage } from "../contract/messages.ts";

/** How much of its parent's conversation a subagent is told. */
export const INHERITANCE = ["none", "receipt", "last-turn", "bounded", "full"] as const;
export type Inheritance = (typeof INHERITANCE)[number];

/** `maxTokens` 0: what the mode itself allows. `contextWindow` is that of the subagent's model. */
export type InheritanceLimits = { maxMessages: number; maxTokens: number; contextWindow?: number };

const TOKENS = { receipt: 500, "last-turn": 4_000, bounded: 8_000 } as const;
const FULL_SHARE = 0.15;
const FULL_TOKENS = 15_000;

/**
 * The end of a conversation as a text for a subagent, or nothing where there is nothing to tell. Pure. What is left out for
 * want of room is the beginning, and that is said.
 */
export function inheritedContext(
  messages: readonly AgentMessage[],
  how: Inheritance,
  limits: InheritanceLimits,
): string | undefined {
  if (how === "none") return undefined;
  const pieces = transcriptText(chosen(messages, how, limits.maxMessages)).filter((piece) => piece.trim() !== "");
  const { kept, cut } = lastOf(pieces, roomFor(how, limits));
  if (kept.length === 0) return undefined;
  const note = cut ? "[what came before is left out]\n\n" : "";
  return `What was said before in the conversation that this work comes from:\n<conversation>\n${note}${kept.join("\n\n")}\n</conversation>`;
}

/** The call that starts the subagent is no part of what it is told. */
function chosen(all: readonly AgentMessage[], how: Inheritance, most: number): readonly AgentMessage[] {
  const last = all.at(-1);
  const messages =
    last?.role === "assistant" && last.content.some(({ type }) => type === "toolCall") ? all.slice(0, -1) : all;
  if (how === "full") return messages;
  const asked = messages.findLastIndex(({ role }) => role === "user");
  if (how === "last-turn") return messages.slice(Math.max(0, asked));
  if (how === "bounded") return most > 0 ? messages.slice(-most) : messages;
  const said = messages.findLast(({ role }) => role === "assistant");
  return messages.filter((message, at) => at === asked || message === said);
}

function roomFor(how: Exclude<Inheritance, "none">, { maxTokens, contextWindow }: InheritanceLimits): number {
  const own = how === "full" ? Math.floor((contextWindow ?? 0) * FULL_SHARE) || FULL_TOKENS : TOKENS[how];
  return maxTokens > 0 ? Math.min(own, maxTokens) : own;
}

function lastOf(pieces: readonly string[], room: number): { kept: string[]; cut: boolean } {
  const kept: string[] = [];
  let left = room;
  for (const piece of pieces.toReversed()) {
    const cost = estimateTextTokens(piece);
    if (cost > left) {
      // The nearest is told in part rather than not at all.
      if (kept.length === 0) kept.unshift(piece.slice(-left * 4));
      return { kept, cut: true };
    }
    kept.unshift(piece);
    left -= cost;
  }
  return { kept, cut: false };
}
