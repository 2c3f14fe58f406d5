import type { AssistantMessage, ImageBlock, Message, TextBlock, ToolResultMessage } from "../../messages.ts";
import type { Model } from "../../model.ts";
import type { Json } from "../json.ts";
import { replay, textOf } from "../replay/replay.ts";
import { plainIds } from "../replay/tool-ids.ts";

/** The conversation in Anthropic's format: alternating user and assistant turns, without empty blocks. */
export function anthropicMessages(messages: readonly Message[], model: Model): Json[] {
  const wire: { role: string; content: Json[] }[] = [];
  for (const message of replay(messages, model, { ids: plainIds(64), alwaysIds: true })) {
    const role = message.role === "assistant" ? "assistant" : "user";
    const content = blocksOf(message);
    if (content.length === 0) continue;
    const last = wire.at(-1);
    if (last?.role === role) last.content.push(...content);
    else wire.push({ role, content });
  }
  return wire;
}

function blocksOf(message: Message): Json[] {
  switch (message.role) {
    case "assistant":
      return assistantBlocks(message);
    case "toolResult":
      return [resultBlock(message)];
    case "developer":
      return [{ type: "text", text: `<system>\n${textOf(message.content)}\n</system>` }];
    default:
      return contentBlocks(message.content);
  }
}

function contentBlocks(content: string | readonly (TextBlock | ImageBlock)[]): Json[] {
  const blocks = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
  return blocks.flatMap((block): Json[] => {
    if (block.type === "text") return block.text.trim() === "" ? [] : [{ type: "text", text: block.text }];
    return [{ type: "image", source: { type: "base64", media_type: block.mimeType, data: block.data } }];
  });
}

function resultBlock(message: ToolResultMessage): Json {
  const content = contentBlocks(message.content);
  return {
    type: "tool_result",
    tool_use_id: message.toolCallId,
    content: content.length > 0 ? content : [{ type: "text", text: "(no output)" }],
    ...(message.isError ? { is_error: true } : {}),
  };
}

function assistantBlocks(message: AssistantMessage): Json[] {
  return message.content.flatMap((block): Json[] => {
    if (block.type === "text") return [{ type: "text", text: block.text }];
    if (block.type === "toolCall")
      return [{ type: "tool_use", id: block.id, name: block.name, input: block.arguments }];
    if (block.redacted) return [{ type: "redacted_thinking", data: block.thinkingSignature ?? "" }];
    // Anthropic rejects unsigned thinking blocks.
    if (!block.thinkingSignature) return block.thinking ? [{ type: "text", text: block.thinking }] : [];
    return [{ type: "thinking", thinking: block.thinking, signature: block.thinkingSignature }];
  });
}
