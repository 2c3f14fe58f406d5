import type { AssistantMessage, ImageBlock, Message, TextBlock, ToolResultMessage } from "../../messages.ts";
import type { Model } from "../../model.ts";
import type { ModelRequest } from "../../stream.ts";
import { type Json, parseJson } from "../json.ts";
import { replay, textOf } from "../replay/replay.ts";
import { mistralIds, plainIds } from "../replay/tool-ids.ts";
import type { ResolvedCompat } from "../shaping/compat.ts";

const LONGEST_ID = 40;
const BRIDGE = "I have read the results.";
const PLACEHOLDER = ".";

/** The conversation in the format of Chat Completions, adapted to the endpoint's compat. */
export function completionMessages(model: Model, request: ModelRequest, compat: ResolvedCompat): Json[] {
  const mistral = compat.requiresMistralToolIds;
  const ids = mistral ? mistralIds : plainIds(LONGEST_ID);
  const messages = replay(request.messages, model, { ids, alwaysIds: mistral });
  const wire: Json[] = systemMessages(model, request, compat);
  let images: ImageBlock[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role === "toolResult") {
      wire.push(toolMessage(message, compat));
      images.push(...message.content.filter((block) => block.type === "image"));
      if (messages[at + 1]?.role === "toolResult") continue;
      if (images.length > 0) pushUser(wire, imageMessage(images), compat);
      images = [];
      continue;
    }
    if (message.role === "assistant") wire.push(...assistantMessage(message, compat));
    else pushUser(wire, otherMessage(message, model, compat), compat);
  }
  return wire;
}

/** The role of instructions from the program. */
function programRole(model: Model, compat: ResolvedCompat): "developer" | "system" {
  return model.reasoning && compat.supportsDeveloperRole ? "developer" : "system";
}

function systemMessages(model: Model, request: ModelRequest, compat: ResolvedCompat): Json[] {
  const blocks = request.system.filter((block) => block.trim() !== "");
  if (blocks.length === 0) return [];
  const role = programRole(model, compat);
  if (compat.supportsMultipleSystemMessages) return blocks.map((content) => ({ role, content }));
  return [{ role, content: blocks.join("\n\n") }];
}

function pushUser(wire: Json[], message: Json, compat: ResolvedCompat): void {
  const after = wire.at(-1)?.role === "tool";
  if (after && compat.requiresAssistantAfterToolResult) wire.push({ role: "assistant", content: BRIDGE });
  wire.push(message);
}

function otherMessage(
  message: Exclude<Message, AssistantMessage | ToolResultMessage>,
  model: Model,
  compat: ResolvedCompat,
): Json {
  if (message.role === "user") {
    const { content } = message;
    return { role: "user", content: typeof content === "string" ? content : userParts(content) };
  }
  const text = textOf(message.content);
  // An endpoint with a single system message accepts it at the start only.
  if (!compat.supportsMultipleSystemMessages) return { role: "user", content: `<system>\n${text}\n</system>` };
  return { role: programRole(model, compat), content: text };
}

function userParts(content: readonly (TextBlock | ImageBlock)[]): string | Json[] {
  if (content.every((block) => block.type === "text")) return content.map((block) => block.text).join("\n");
  return content.map((block) => (block.type === "text" ? { type: "text", text: block.text } : imagePart(block)));
}

function imagePart({ mimeType, data }: ImageBlock): Json {
  return { type: "image_url", image_url: { url: `data:${mimeType};base64,${data}` } };
}

/** Tool results are text only in this format, so their images follow in a user message. */
function imageMessage(images: ImageBlock[]): Json {
  const lead = { type: "text", text: "The images of the tool results above:" };
  return { role: "user", content: [lead, ...images.map(imagePart)] };
}

function toolMessage(message: ToolResultMessage, compat: ResolvedCompat): Json {
  const text = message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  return {
    role: "tool",
    tool_call_id: message.toolCallId,
    ...(compat.requiresToolResultName ? { name: message.toolName } : {}),
    content: text || (message.content.length > 0 ? "(see the image below)" : "(no output)"),
  };
}

function assistantMessage(message: AssistantMessage, compat: ResolvedCompat): Json[] {
  const thoughts = message.content.filter((block) => block.type === "thinking");
  const calls = message.content.filter((block) => block.type === "toolCall");
  const thinkingTexts = compat.requiresThinkingAsText
    ? thoughts.map(({ thinking }) => `<thinking>\n${thinking}\n</thinking>`)
    : [];
  const texts = message.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const text = [...thinkingTexts, ...texts].join("\n\n");
  const wire: Json = { role: "assistant", content: text || null };
  if (!compat.requiresThinkingAsText) Object.assign(wire, reasoningField(thoughts, calls.length > 0, compat));
  if (calls.length > 0) {
    wire.tool_calls = calls.map(({ id, name, arguments: input }) => ({
      id,
      type: "function",
      function: { name, arguments: JSON.stringify(input) },
    }));
    if (!text && compat.requiresAssistantContentForToolCalls) wire.content = PLACEHOLDER;
    const details = calls.flatMap(({ thoughtSignature }) => (thoughtSignature ? [parseJson(thoughtSignature)] : []));
    if (details.some(Boolean)) wire.reasoning_details = details.filter(Boolean);
  }
  return text || calls.length > 0 || thoughts.length > 0 ? [wire] : [];
}

/** Sends thinking in the field in which it was received. */
function reasoningField(
  thoughts: { thinking: string; thinkingSignature?: string }[],
  hasCalls: boolean,
  compat: ResolvedCompat,
): Json {
  const thinking = thoughts.map((block) => block.thinking).join("\n");
  const field =
    REASONING_FIELDS.find((name) => name === thoughts[0]?.thinkingSignature) ?? compat.reasoningContentField;
  if (thinking !== "") return { [field]: thinking };
  const needed = hasCalls && compat.requiresReasoningContentForToolCalls;
  return needed && compat.allowsSyntheticReasoningContentForToolCalls ? { [field]: PLACEHOLDER } : {};
}

/** Fields in which endpoints send thinking, most common first. */
export const REASONING_FIELDS = ["reasoning_content", "reasoning", "reasoning_text"] as const;
