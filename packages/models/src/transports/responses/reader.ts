import type { Assembly } from "../assembly.ts";
import { classify } from "../failure/classify.ts";
import { asArray, asCount, asObject, asObjects, asText, type Json } from "../json.ts";
import type { Reader } from "../transport.ts";

/** Reads the events of a Responses stream. */
export function responseReader(assembly: Assembly): Reader {
  return {
    frame({ event, data }) {
      const type = asText(data.type) || event;
      const slot = `item${String(data.output_index ?? data.item_id)}`;
      switch (type) {
        case "response.created":
          assembly.responseId = asText(asObject(data.response).id) || undefined;
          return undefined;
        case "response.output_item.added":
          startItem(assembly, slot, asObject(data.item));
          return undefined;
        case "response.output_text.delta":
        case "response.refusal.delta":
          assembly.text(slot, asText(data.delta));
          return undefined;
        case "response.reasoning_summary_text.delta":
        case "response.reasoning_text.delta":
          assembly.thinking(slot, asText(data.delta));
          return undefined;
        case "response.reasoning_summary_part.added":
          if (asCount(data.summary_index) > 0) assembly.thinking(slot, "\n\n");
          return undefined;
        case "response.function_call_arguments.delta":
          if (assembly.has(slot)) assembly.call(slot, { delta: asText(data.delta) });
          return undefined;
        case "response.output_item.done":
          endItem(assembly, slot, asObject(data.item));
          return undefined;
        default:
          return readEnding(assembly, type, data);
      }
    },
  };
}

function startItem(assembly: Assembly, slot: string, item: Json): void {
  if (item.type !== "function_call") return;
  assembly.call(slot, { id: fullId(item), name: asText(item.name), delta: asText(item.arguments) });
}

function fullId(item: Json): string {
  const [call, own] = [asText(item.call_id), asText(item.id)];
  return own ? `${call}|${own}` : call;
}

/** Uses the finished item if no deltas were received. */
function endItem(assembly: Assembly, slot: string, item: Json): void {
  if (item.type === "function_call") {
    const wasStreamed = assembly.has(slot) && assembly.argumentsText(slot) !== "";
    assembly.call(slot, {
      id: fullId(item),
      name: asText(item.name),
      delta: wasStreamed ? "" : asText(item.arguments),
    });
  } else if (item.type === "message") {
    const text = asObjects(item.content)
      .map((part) => asText(part.text) || asText(part.refusal))
      .join("");
    if (!assembly.has(slot) && text) assembly.text(slot, text);
    assembly.mark(slot, { textSignature: asText(item.id) || undefined });
  } else if (item.type === "reasoning") {
    const text = asObjects(asArray(item.summary).length > 0 ? item.summary : item.content);
    if (!assembly.has(slot)) assembly.thinking(slot, text.map((part) => asText(part.text)).join("\n\n"));
    assembly.mark(slot, { thinkingSignature: JSON.stringify(item) });
  }
  assembly.close(slot);
}

function readEnding(assembly: Assembly, type: string, data: Json): "last" | undefined {
  const response = asObject(data.response);
  switch (type) {
    case "response.completed":
    case "response.done":
    case "response.incomplete": {
      readUsage(assembly, asObject(response.usage));
      const reason = asText(asObject(response.incomplete_details).reason);
      const status = asText(response.status);
      if (reason === "content_filter" || isRefusal(response)) assembly.end("refused", reason || "refusal");
      else if (reason === "max_output_tokens" || reason === "max_tokens") assembly.end("length", reason);
      else if (type === "response.incomplete" || status === "incomplete") assembly.end("unknown", reason || status);
      else assembly.end("stop", status || "completed");
      return "last";
    }
    case "response.failed":
      readUsage(assembly, asObject(response.usage));
      assembly.fail(classify({ text: JSON.stringify({ error: response.error ?? response.status ?? "failed" }) }));
      return "last";
    case "error":
      assembly.fail(classify({ ...statusOf(data), text: JSON.stringify(data.error ? data : { error: data }) }));
      return "last";
    default:
      return undefined;
  }
}

/** Over a WebSocket, an error event has the status that HTTP would have. */
function statusOf({ status }: Json): { status?: number } {
  return typeof status === "number" && status >= 400 && status < 600 ? { status } : {};
}

function isRefusal(response: Json): boolean {
  const parts = asObjects(response.output).flatMap((item) => asObjects(item.content));
  return parts.some((part) => part.type === "refusal");
}

function readUsage(assembly: Assembly, usage: Json): void {
  if (Object.keys(usage).length === 0) return;
  const read = asCount(asObject(usage.input_tokens_details).cached_tokens);
  assembly.tokens({
    input: Math.max(0, asCount(usage.input_tokens) - read),
    output: asCount(usage.output_tokens),
    cacheRead: read,
    reasoning: asCount(asObject(usage.output_tokens_details).reasoning_tokens),
  });
}
