import type { AssistantMessage, ImageBlock, Message, TextBlock, ToolResultMessage } from "../../messages.ts";
import type { Model } from "../../model.ts";
import { asObject, asText, type Json, parseJson } from "../json.ts";
import { replay, textOf } from "../replay/replay.ts";
import { plainIds } from "../replay/tool-ids.ts";

const LONGEST_ID = 64;

/**
 * The conversation as items. A call's id combines two of OpenAI's ids, `<call>|<item>`. The item id belongs to the
 * reasoning before the call and is sent back only to the model that created it.
 */
export function responseInput(messages: readonly Message[], model: Model, programRole: "developer" | "system"): Json[] {
  return replay(messages, model, { ids: plainIds(LONGEST_ID) }).flatMap((message): Json[] => {
    switch (message.role) {
      case "assistant":
        return assistantItems(message, isOwn(message, model));
      case "toolResult":
        return resultItems(message);
      case "developer":
        return [{ role: programRole, content: [{ type: "input_text", text: textOf(message.content) }] }];
      default:
        return [{ role: "user", content: contentParts(message.content) }];
    }
  });
}

function isOwn(message: AssistantMessage, model: Model): boolean {
  const whole = message.stopReason !== "error" && message.stopReason !== "aborted";
  return whole && message.api === model.api && message.provider === model.provider && message.model === model.id;
}

function contentParts(content: string | readonly (TextBlock | ImageBlock)[]): Json[] {
  if (typeof content === "string") return [{ type: "input_text", text: content }];
  return content.map((block) =>
    block.type === "text"
      ? { type: "input_text", text: block.text }
      : { type: "input_image", detail: "auto", image_url: `data:${block.mimeType};base64,${block.data}` },
  );
}

function resultItems(message: ToolResultMessage): Json[] {
  const hasImages = message.content.some((block) => block.type === "image");
  const text = textOf(message.content.filter((block) => block.type === "text"));
  const output = hasImages ? contentParts(message.content) : text || "(no output)";
  return [{ type: "function_call_output", call_id: callId(message.toolCallId), output }];
}

function assistantItems(message: AssistantMessage, own: boolean): Json[] {
  return message.content.flatMap((block): Json[] => {
    if (block.type === "text") {
      const content = [{ type: "output_text", text: block.text, annotations: [] }];
      const id = own ? block.textSignature : undefined;
      return [{ type: "message", role: "assistant", status: "completed", ...(id ? { id } : {}), content }];
    }
    if (block.type === "thinking") {
      const item = asObject(parseJson(block.thinkingSignature ?? ""));
      return own && item.type === "reasoning" ? [item] : [];
    }
    const item = own ? itemId(block.id) : undefined;
    const call = { type: "function_call", call_id: callId(block.id), name: block.name };
    return [{ ...call, arguments: JSON.stringify(block.arguments), ...(item ? { id: item } : {}) }];
  });
}

function callId(id: string): string {
  return (id.split("|")[0] ?? "").replace(/[^a-zA-Z0-9_-]/g, "_").slice(-LONGEST_ID) || "call";
}

function itemId(id: string): string | undefined {
  const item = asText(id.split("|")[1]);
  return /^fc[a-zA-Z0-9_-]{1,62}$/.test(item) ? item : undefined;
}
