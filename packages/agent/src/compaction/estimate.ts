import type { ImageBlock, TextBlock, ThinkingBlock, ToolCall } from "@gantry/models";
import type { AgentMessage } from "../contract/messages.ts";

const CHARACTERS_PER_TOKEN = 4;
const IMAGE_TOKENS = 1_200;

type Block = TextBlock | ImageBlock | ThinkingBlock | ToolCall;

/** The approximate tokens of a message. */
export function estimateTokens(message: AgentMessage): number {
  switch (message.role) {
    case "bashExecution":
      return message.excludeFromContext ? 0 : estimateTextTokens(message.command) + estimateTextTokens(message.output);
    case "branchSummary":
    case "compactionSummary":
      return estimateTextTokens(message.summary);
    default:
      return typeof message.content === "string"
        ? estimateTextTokens(message.content)
        : estimateBlocksTokens(message.content);
  }
}

export function estimateTextTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

/**
 * The approximate tokens of the next request. Uses the provider's count of the latest answer, unless the conversation
 * was shortened after it. `fixed`: tokens of the system prompt and the tools.
 */
export function contextTokens(messages: readonly AgentMessage[], fixed: number): number {
  const shortened = lastShortened(messages);
  const counted = messages.findLastIndex(
    (each) =>
      each.role === "assistant" &&
      each.usage.totalTokens > 0 &&
      each.stopReason !== "error" &&
      each.stopReason !== "aborted" &&
      each.timestamp > shortened,
  );
  const answer = messages[counted];
  const known = answer?.role === "assistant" ? answer.usage.totalTokens : fixed;
  return messages.slice(counted + 1).reduce((sum, each) => sum + estimateTokens(each), known);
}

function lastShortened(messages: readonly AgentMessage[]): number {
  return messages.reduce((latest, each) => {
    if (each.role === "compactionSummary") return Math.max(latest, each.timestamp);
    return each.role === "toolResult" && each.prunedAt !== undefined ? Math.max(latest, each.prunedAt) : latest;
  }, 0);
}

function estimateBlocksTokens(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + estimateBlockTokens(block), 0);
}

function estimateBlockTokens(block: Block): number {
  if (block.type === "text") return estimateTextTokens(block.text);
  if (block.type === "thinking") return estimateTextTokens(block.thinking);
  if (block.type === "image") return IMAGE_TOKENS;
  return estimateTextTokens(block.name) + estimateTextTokens(JSON.stringify(block.arguments));
}
