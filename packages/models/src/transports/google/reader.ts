import type { Assembly, Ending } from "../assembly.ts";
import { classify } from "../failure/classify.ts";
import { asCount, asObject, asObjects, asText, type Json } from "../json.ts";
import type { Reader } from "../transport.ts";

const REFUSALS = ["SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY", "LANGUAGE"];
const ENDINGS: Record<string, Ending> = {
  STOP: "stop",
  MAX_TOKENS: "length",
  ...Object.fromEntries(REFUSALS.map((reason): [string, Ending] => [reason, "refused"])),
};

/** Reads the chunks of a streamed generateContent. Each call arrives complete. */
export function googleReader(assembly: Assembly): Reader {
  let count = 0;
  return {
    frame({ data }) {
      if (data.error) {
        assembly.fail(classify({ text: JSON.stringify(data) }));
        return "last";
      }
      assembly.responseId ??= asText(data.responseId) || undefined;
      readUsage(assembly, asObject(data.usageMetadata));
      const blocked = asText(asObject(data.promptFeedback).blockReason);
      if (blocked) assembly.end("refused", blocked);
      const candidate = asObjects(data.candidates)[0];
      if (!candidate) return undefined;
      for (const part of asObjects(asObject(candidate.content).parts)) {
        if (part.functionCall) readCall(assembly, `call${count++}`, part);
        else readText(assembly, part);
      }
      const reason = asText(candidate.finishReason);
      if (reason === "MALFORMED_FUNCTION_CALL") {
        const message = asText(candidate.finishMessage) || "The model produced a malformed tool call.";
        assembly.fail({ category: "server", message });
      }
      if (reason) assembly.end(ENDINGS[reason] ?? "unknown", reason);
      return undefined;
    },
  };
}

function readText(assembly: Assembly, part: Json): void {
  const text = asText(part.text);
  const signature = asText(part.thoughtSignature);
  const slot = part.thought === true ? "thinking" : "text";
  if (text) {
    assembly.close(slot === "text" ? "thinking" : "text");
    if (slot === "text") assembly.text(slot, text);
    else assembly.thinking(slot, text);
  }
  if (!signature) return;
  assembly.mark(slot, slot === "text" ? { textSignature: signature } : { thinkingSignature: signature });
}

function readCall(assembly: Assembly, slot: string, part: Json): void {
  assembly.close("text");
  assembly.close("thinking");
  const { id, name, args } = asObject(part.functionCall);
  assembly.call(slot, { id: asText(id), name: asText(name), delta: JSON.stringify(args ?? {}) });
  const signature = asText(part.thoughtSignature);
  if (signature) assembly.mark(slot, { thoughtSignature: signature });
  assembly.close(slot);
}

function readUsage(assembly: Assembly, usage: Json): void {
  if (Object.keys(usage).length === 0) return;
  const read = asCount(usage.cachedContentTokenCount);
  const thoughts = asCount(usage.thoughtsTokenCount);
  assembly.tokens({
    input: Math.max(0, asCount(usage.promptTokenCount) - read),
    output: asCount(usage.candidatesTokenCount) + thoughts,
    cacheRead: read,
    reasoning: thoughts,
  });
}
