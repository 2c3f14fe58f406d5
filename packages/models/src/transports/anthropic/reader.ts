import type { Assembly, Ending } from "../assembly.ts";
import { classify } from "../failure/classify.ts";
import { asCount, asObject, asText, type Json } from "../json.ts";
import type { Reader } from "../transport.ts";

const ENDINGS: Record<string, Ending> = {
  end_turn: "stop",
  stop_sequence: "stop",
  pause_turn: "stop",
  max_tokens: "length",
  tool_use: "toolUse",
  refusal: "refused",
};

/** Reads the events of a Messages stream. */
export function anthropicReader(assembly: Assembly): Reader {
  return {
    frame({ event, data }) {
      switch (asText(data.type) || event) {
        case "message_start": {
          const message = asObject(data.message);
          assembly.responseId = asText(message.id) || undefined;
          readUsage(assembly, asObject(message.usage));
          return undefined;
        }
        case "content_block_start":
          startBlock(assembly, slotOf(data), asObject(data.content_block));
          return undefined;
        case "content_block_delta":
          readDelta(assembly, slotOf(data), asObject(data.delta));
          return undefined;
        case "content_block_stop":
          assembly.close(slotOf(data));
          return undefined;
        case "message_delta":
          readEnd(assembly, data);
          return undefined;
        case "message_stop":
          return "last";
        case "error":
          assembly.fail(classify({ text: JSON.stringify(data) }));
          return "last";
        default:
          return undefined;
      }
    },
  };
}

function slotOf(data: Json): string {
  return `block${String(data.index)}`;
}

function startBlock(assembly: Assembly, slot: string, block: Json): void {
  switch (block.type) {
    case "text":
      assembly.text(slot, asText(block.text));
      break;
    case "thinking":
      assembly.thinking(slot, asText(block.thinking));
      break;
    case "redacted_thinking":
      assembly.thinking(slot, "");
      assembly.mark(slot, { redacted: true, thinkingSignature: asText(block.data) });
      break;
    case "tool_use": {
      const input = asObject(block.input);
      const delta = Object.keys(input).length > 0 ? JSON.stringify(input) : "";
      assembly.call(slot, { id: asText(block.id), name: asText(block.name), delta });
      break;
    }
  }
}

/** Ignores deltas of unknown blocks or of another type. */
function readDelta(assembly: Assembly, slot: string, delta: Json): void {
  if (!assembly.has(slot)) return;
  if (delta.type === "text_delta") assembly.text(slot, asText(delta.text));
  else if (delta.type === "thinking_delta") assembly.thinking(slot, asText(delta.thinking));
  else if (delta.type === "input_json_delta") assembly.call(slot, { delta: asText(delta.partial_json) });
  else if (delta.type === "signature_delta") assembly.mark(slot, { thinkingSignature: asText(delta.signature) });
}

function readEnd(assembly: Assembly, data: Json): void {
  readUsage(assembly, asObject(data.usage));
  const reason = asText(asObject(data.delta).stop_reason);
  if (reason === "model_context_window_exceeded") {
    assembly.fail({ category: "overflow", message: "The response does not fit into the context window." });
  }
  if (reason) assembly.end(ENDINGS[reason] ?? "unknown", reason);
}

/** Keeps earlier counts that a later event omits. */
function readUsage(assembly: Assembly, usage: Json): void {
  if (typeof usage.input_tokens === "number") assembly.tokens({ input: asCount(usage.input_tokens) });
  if (typeof usage.output_tokens === "number") assembly.tokens({ output: asCount(usage.output_tokens) });
  if (typeof usage.cache_read_input_tokens === "number") {
    assembly.tokens({ cacheRead: asCount(usage.cache_read_input_tokens) });
  }
  if (typeof usage.cache_creation_input_tokens === "number") {
    assembly.tokens({ cacheWrite: asCount(usage.cache_creation_input_tokens) });
  }
}
