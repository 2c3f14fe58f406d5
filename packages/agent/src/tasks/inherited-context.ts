import { estimateTextTokens } from "../compaction/estimate.ts";
import { transcriptText } from "../compaction/prompts.ts";
import type { AgentMessage } from "../contract/messages.ts";

/** How much of its parent's conversation a subagent gets. */
export const INHERITANCE = ["none", "receipt", "last-turn", "bounded", "full"] as const;
export type Inheritance = (typeof INHERITANCE)[number];

/** `maxTokens` 0: the limit of the mode. `contextWindow` is that of the subagent's model. */
export type InheritanceLimits = { maxMessages: number; maxTokens: number; contextWindow?: number };

const TOKENS = { receipt: 500, "last-turn": 4_000, bounded: 8_000 } as const;
const FULL_SHARE = 0.15;
const FULL_TOKENS = 15_000;

/**
 * The end of a conversation as text for a subagent; `undefined` if there is none. Pure. If the text is too long, its
 * beginning is cut and a note is added.
 */
export function inheritedContext(
  messages: readonly AgentMessage[],
  how: Inheritance,
  limits: InheritanceLimits,
): string | undefined {
  if (how === "none") return undefined;
  const pieces = transcriptText(selectMessages(messages, how, limits.maxMessages)).filter(
    (piece) => piece.trim() !== "",
  );
  const { tail, cut } = takeTail(pieces, roomFor(how, limits));
  if (tail.length === 0) return undefined;
  const note = cut ? "[earlier messages omitted]\n\n" : "";
  return `The conversation that this work comes from:\n<conversation>\n${note}${tail.join("\n\n")}\n</conversation>`;
}

/** Leaves out the call that starts the subagent. */
function selectMessages(all: readonly AgentMessage[], how: Inheritance, most: number): readonly AgentMessage[] {
  const last = all.at(-1);
  const messages =
    last?.role === "assistant" && last.content.some(({ type }) => type === "toolCall") ? all.slice(0, -1) : all;
  if (how === "full") return messages;
  const asked = messages.findLastIndex(({ role }) => role === "user");
  if (how === "last-turn") return messages.slice(Math.max(0, asked));
  if (how === "bounded") return most > 0 ? messages.slice(-most) : messages;
  const answer = messages.findLast(({ role }) => role === "assistant");
  return messages.filter((message, at) => at === asked || message === answer);
}

function roomFor(how: Exclude<Inheritance, "none">, { maxTokens, contextWindow }: InheritanceLimits): number {
  const own = how === "full" ? Math.floor((contextWindow ?? 0) * FULL_SHARE) || FULL_TOKENS : TOKENS[how];
  return maxTokens > 0 ? Math.min(own, maxTokens) : own;
}

function takeTail(pieces: readonly string[], room: number): { tail: string[]; cut: boolean } {
  const tail: string[] = [];
  let left = room;
  for (const piece of pieces.toReversed()) {
    const cost = estimateTextTokens(piece);
    if (cost > left) {
      // A part of the latest message is better than none.
      if (tail.length === 0) tail.unshift(piece.slice(-left * 4));
      return { tail, cut: true };
    }
    tail.unshift(piece);
    left -= cost;
  }
  return { tail, cut: false };
}
