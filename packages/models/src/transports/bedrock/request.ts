import type { AssistantMessage, ImageBlock, Message, TextBlock } from "../../messages.ts";
import type { Model } from "../../model.ts";
import type { ModelRequest } from "../../stream.ts";
import { claudeThinking } from "../anthropic/request.ts";
import type { Json } from "../json.ts";
import { replay, textOf } from "../replay/replay.ts";
import { plainIds } from "../replay/tool-ids.ts";
import { compact, withExtras } from "../shaping/body.ts";
import { retentionOf } from "../shaping/cache.ts";
import { effortOf } from "../shaping/thinking.ts";
import { isForced } from "../shaping/tool-choice.ts";

/** The body of a Converse request. The model id is part of the path. */
export function bedrockBody(model: Model, request: ModelRequest): Json {
  const claude = /anthropic|claude/.test(model.id);
  const point = cachePoint(model, request);
  const forced = isForced(request.toolChoice) && request.tools.length > 0;
  const effort = claude && !forced ? effortOf(model, request.thinking) : undefined;
  const requestedTokens = request.maxTokens ?? (model.maxTokens || 8192);
  const thinking = claude ? claudeThinking(model, effort, requestedTokens) : { fields: {}, maxTokens: requestedTokens };
  const system = request.system.filter((text) => text.trim() !== "").map((text) => ({ text }));
  const body = compact({
    messages: withPoint(bedrockMessages(request.messages, model, claude), point),
    system: system.length > 0 ? [...system, ...point] : undefined,
    inferenceConfig: compact({
      maxTokens: thinking.maxTokens,
      temperature: effort ? undefined : request.temperature,
      topP: effort ? undefined : request.topP,
    }),
    toolConfig: toolConfig(request, point),
    additionalModelRequestFields: Object.keys(thinking.fields).length > 0 ? thinking.fields : undefined,
  });
  return withExtras(body, model, model.compat?.extraBody);
}

/** Only Claude and Nova support cache points; other models reject them. */
function cachePoint(model: Model, request: ModelRequest): Json[] {
  const retention = retentionOf(model, request);
  if (retention === "none" || !/anthropic|claude|nova/.test(model.id)) return [];
  const long = retention === "long" && !/nova/.test(model.id);
  return [{ cachePoint: { type: "default", ...(long ? { ttl: "1h" } : {}) } }];
}

function withPoint(messages: { role: string; content: Json[] }[], point: Json[]): Json[] {
  messages.findLast((message) => message.role === "user")?.content.push(...point);
  return messages;
}

/** Bedrock requires tool specs for a conversation with calls, even if no tool is offered any more. */
function toolConfig({ tools, toolChoice, messages }: ModelRequest, point: Json[]): Json | undefined {
  const listed = tools.length > 0 ? tools : formerTools(messages);
  if (listed.length === 0) return undefined;
  const specs = listed.map(({ name, description, parameters }) => ({
    toolSpec: { name, description: description || name, inputSchema: { json: parameters } },
  }));
  const choice =
    toolChoice === undefined || toolChoice === "none" || tools.length === 0
      ? undefined
      : typeof toolChoice === "object"
        ? { tool: { name: toolChoice.name } }
        : { [toolChoice === "required" ? "any" : "auto"]: {} };
  return { tools: [...specs, ...point], ...(choice ? { toolChoice: choice } : {}) };
}

function formerTools(messages: readonly Message[]) {
  const names = new Set(messages.flatMap((message) => (message.role === "toolResult" ? [message.toolName] : [])));
  return [...names].map((name) => ({
    name,
    description: "No longer offered.",
    parameters: { type: "object" } as Json,
  }));
}

function bedrockMessages(messages: readonly Message[], model: Model, claude: boolean) {
  const wire: { role: string; content: Json[] }[] = [];
  for (const message of replay(messages, model, { ids: plainIds(64), alwaysIds: true })) {
    const role = message.role === "assistant" ? "assistant" : "user";
    const content = blocksOf(message, claude);
    const last = wire.at(-1);
    if (content.length === 0) continue;
    if (last?.role === role) last.content.push(...content);
    else wire.push({ role, content });
  }
  return wire;
}

function blocksOf(message: Message, claude: boolean): Json[] {
  switch (message.role) {
    case "assistant":
      return assistantBlocks(message, claude);
    case "toolResult": {
      const content = contentBlocks(message.content);
      const status = message.isError ? "error" : "success";
      const output = content.length > 0 ? content : [{ text: "(no output)" }];
      return [{ toolResult: { toolUseId: message.toolCallId, content: output, status } }];
    }
    case "developer":
      return [{ text: `<system>\n${textOf(message.content)}\n</system>` }];
    default:
      return contentBlocks(message.content);
  }
}

function contentBlocks(content: string | readonly (TextBlock | ImageBlock)[]): Json[] {
  const blocks = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
  return blocks.flatMap((block): Json[] => {
    if (block.type === "text") return block.text.trim() === "" ? [] : [{ text: block.text }];
    const format = (block.mimeType.split("/")[1] ?? "png").replace("jpg", "jpeg");
    return [{ image: { format, source: { bytes: block.data } } }];
  });
}

function assistantBlocks(message: AssistantMessage, claude: boolean): Json[] {
  return message.content.flatMap((block): Json[] => {
    if (block.type === "text") return [{ text: block.text }];
    if (block.type === "toolCall") {
      return [{ toolUse: { toolUseId: block.id, name: block.name, input: block.arguments } }];
    }
    if (block.redacted) return [{ reasoningContent: { redactedContent: block.thinkingSignature ?? "" } }];
    if (claude && !block.thinkingSignature) return block.thinking ? [{ text: block.thinking }] : [];
    const signature = block.thinkingSignature ? { signature: block.thinkingSignature } : {};
    return [{ reasoningContent: { reasoningText: { text: block.thinking, ...signature } } }];
  });
}
