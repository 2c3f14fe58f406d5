import type { ImageBlock, Message, TextBlock } from "../../messages.ts";
import type { Model } from "../../model.ts";
import type { ModelRequest } from "../../stream.ts";
import type { Json } from "../json.ts";
import { replay, textOf } from "../replay/replay.ts";
import { plainIds } from "../replay/tool-ids.ts";
import { compact, wireId, withExtras } from "../shaping/body.ts";
import { effortOf } from "../shaping/thinking.ts";

/** The body of a chat request. Ollama has no tool choice; the only way to restrict tools is to omit them. */
export function ollamaBody(model: Model, request: ModelRequest): Json {
  const system = request.system.filter((text) => text.trim() !== "").join("\n\n");
  const messages = replay(request.messages, model, { ids: plainIds(64) }).map(wireMessage);
  const body = compact({
    model: wireId(model),
    messages: system ? [{ role: "system", content: system }, ...messages] : messages,
    stream: true,
    tools: toolFields(request),
    think: thinkField(model, request),
    options: compact({
      num_predict: request.maxTokens ?? (model.maxTokens || undefined),
      temperature: request.temperature,
      top_p: request.topP,
    }),
  });
  return withExtras(body, model, model.compat?.extraBody);
}

function toolFields({ tools, toolChoice }: ModelRequest): Json[] | undefined {
  if (tools.length === 0 || toolChoice === "none") return undefined;
  const offered = typeof toolChoice === "object" ? tools.filter((tool) => tool.name === toolChoice.name) : tools;
  return (offered.length > 0 ? offered : tools).map(({ name, description, parameters }) => ({
    type: "function",
    function: { name, description, parameters },
  }));
}

/** Thinking is on or off for most models; gpt-oss has levels. */
function thinkField(model: Model, request: ModelRequest): boolean | string | undefined {
  if (!model.reasoning) return undefined;
  const effort = effortOf(model, request.thinking);
  if (!/gpt-oss/.test(model.id)) return effort !== undefined;
  if (!effort || effort === "minimal") return "low";
  return effort === "xhigh" || effort === "max" ? "high" : effort;
}

function wireMessage(message: Message): Json {
  switch (message.role) {
    case "assistant": {
      const thinking = message.content
        .flatMap((block) => (block.type === "thinking" ? [block.thinking] : []))
        .join("\n");
      const content = message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n\n");
      const calls = message.content.flatMap((block) =>
        block.type === "toolCall" ? [{ id: block.id, function: { name: block.name, arguments: block.arguments } }] : [],
      );
      return {
        role: "assistant",
        content,
        ...(thinking ? { thinking } : {}),
        ...(calls.length > 0 ? { tool_calls: calls } : {}),
      };
    }
    case "toolResult":
      return {
        role: "tool",
        tool_name: message.toolName,
        tool_call_id: message.toolCallId,
        ...contentFields(message.content),
      };
    case "developer":
      return { role: "system", content: textOf(message.content) };
    default:
      return { role: "user", ...contentFields(message.content) };
  }
}

function contentFields(blocks: string | readonly (TextBlock | ImageBlock)[]): Json {
  if (typeof blocks === "string") return { content: blocks };
  const images = blocks.flatMap((block) => (block.type === "image" ? [block.data] : []));
  const text = blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  return { content: text, ...(images.length > 0 ? { images } : {}) };
}
