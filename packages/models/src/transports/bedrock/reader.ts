import type { Assembly, Ending } from "../assembly.ts";
import { classify } from "../failure/classify.ts";
import { asCount, asObject, asText, type Json } from "../json.ts";
import type { Reader } from "../transport.ts";

const ENDINGS: Record<string, Ending> = {
  end_turn: "stop",
  stop_sequence: "stop",
  max_tokens: "length",
  tool_use: "toolUse",
  guardrail_intervened: "refused",
  content_filtered: "refused",
  refusal: "refused",
};

/** Reads the events of a Converse stream. Only call blocks have a start event. */
export function bedrockReader(assembly: Assembly): Reader {
  return {
    frame({ event, data }) {
      const slot = `block${String(data.contentBlockIndex)}`;
      if (event === "broken" || event.startsWith("exception:")) {
        const code = event === "broken" ? "upstream" : event.slice("exception:".length);
        assembly.fail(classify({ text: JSON.stringify(data), code }));
        return "last";
      }
      if (event === "contentBlockStart") {
        const use = asObject(asObject(data.start).toolUse);
        if (use.name) assembly.call(slot, { id: asText(use.toolUseId), name: asText(use.name) });
      } else if (event === "contentBlockDelta") readDelta(assembly, slot, asObject(data.delta));
      else if (event === "contentBlockStop") assembly.close(slot);
      else if (event === "messageStop") readStop(assembly, asText(data.stopReason));
      else if (event === "metadata") {
        const usage = asObject(data.usage);
        assembly.tokens({
          input: asCount(usage.inputTokens),
          output: asCount(usage.outputTokens),
          cacheRead: asCount(usage.cacheReadInputTokens),
          cacheWrite: asCount(usage.cacheWriteInputTokens),
        });
        return "last";
      }
      return undefined;
    },
  };
}

function readDelta(assembly: Assembly, slot: string, delta: Json): void {
  const reasoning = asObject(delta.reasoningContent);
  if (typeof delta.text === "string") assembly.text(slot, delta.text);
  else if (delta.toolUse && assembly.has(slot)) {
    assembly.call(slot, { delta: asText(asObject(delta.toolUse).input) });
  } else if (typeof reasoning.text === "string") assembly.thinking(slot, reasoning.text);
  else if (typeof reasoning.signature === "string") assembly.mark(slot, { thinkingSignature: reasoning.signature });
  else if (typeof reasoning.redactedContent === "string") {
    assembly.thinking(slot, "");
    assembly.mark(slot, { redacted: true, thinkingSignature: reasoning.redactedContent });
  }
}

function readStop(assembly: Assembly, reason: string): void {
  if (reason === "model_context_window_exceeded") {
    assembly.fail({ category: "overflow", message: "The response does not fit into the context window." });
  }
  if (reason) assembly.end(ENDINGS[reason] ?? "unknown", reason);
}
