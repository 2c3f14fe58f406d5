import type { AssistantMessage, ImageBlock, Message, TextBlock, ToolResultMessage } from "../../messages.ts";
import type { Model } from "../../model.ts";
import type { Json } from "../json.ts";
import { replay, textOf } from "../replay/replay.ts";
import { plainIds } from "../replay/tool-ids.ts";

/** Gemini 3 requires a signature on calls. This value marks calls of other models. */
const FOREIGN_CALL = "skip_thought_signature_validator";

/** The conversation in Google's format: the results of a round in one turn, followed by their images. */
export function googleContents(messages: readonly Message[], model: Model): Json[] {
  const contents: { role: string; parts: Json[] }[] = [];
  const add = (role: string, parts: Json[]) => {
    const last = contents.at(-1);
    if (parts.length === 0) return;
    if (last?.role === role) last.parts.push(...parts);
    else contents.push({ role, parts });
  };
  for (const message of replay(messages, model, { ids: plainIds(64), alwaysIds: true })) {
    if (message.role === "assistant") add("model", modelParts(message, model));
    else if (message.role === "toolResult") add("user", [resultPart(message), ...imageParts(message.content)]);
    else if (message.role === "developer") add("user", [{ text: `<system>\n${textOf(message.content)}\n</system>` }]);
    else add("user", userParts(message.content));
  }
  for (const { parts } of contents) parts.sort((a, b) => Number(isResult(b)) - Number(isResult(a)));
  return contents;
}

function isResult(part: Json): boolean {
  return part.functionResponse !== undefined;
}

function userParts(content: string | readonly (TextBlock | ImageBlock)[]): Json[] {
  if (typeof content === "string") return [{ text: content }];
  return content.map((block) => (block.type === "text" ? { text: block.text } : imagePart(block)));
}

function imagePart({ mimeType, data }: ImageBlock): Json {
  return { inlineData: { mimeType, data } };
}

function imageParts(content: readonly (TextBlock | ImageBlock)[]): Json[] {
  return content.flatMap((block) => (block.type === "image" ? [imagePart(block)] : []));
}

function resultPart(message: ToolResultMessage): Json {
  const text = message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  const response = message.isError ? { error: text || "failed" } : { output: text || "(no text)" };
  return { functionResponse: { name: message.toolName, response } };
}

function modelParts(message: AssistantMessage, model: Model): Json[] {
  const needsSignature = /gemini-(3|[4-9]|\d\d)/.test(model.id);
  let first = true;
  return message.content.flatMap((block): Json[] => {
    if (block.type === "text") {
      return [{ text: block.text, ...(block.textSignature ? { thoughtSignature: block.textSignature } : {}) }];
    }
    if (block.type === "thinking") {
      if (block.thinking === "" || block.redacted) return [];
      const signature = block.thinkingSignature ? { thoughtSignature: block.thinkingSignature } : {};
      return [{ text: block.thinking, thought: true, ...signature }];
    }
    const signature = block.thoughtSignature ?? (needsSignature && first ? FOREIGN_CALL : undefined);
    first = false;
    const functionCall = { name: block.name, args: block.arguments };
    return [{ functionCall, ...(signature ? { thoughtSignature: signature } : {}) }];
  });
}
