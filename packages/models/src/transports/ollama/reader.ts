import type { Assembly, Ending } from "../assembly.ts";
import { classify } from "../failure/classify.ts";
import { asCount, asObject, asObjects, asText, type Json } from "../json.ts";
import type { Reader } from "../transport.ts";

const ENDINGS: Record<string, Ending> = { stop: "stop", length: "length" };

/** Reads the lines of Ollama's chat API. Each call arrives complete. */
export function ollamaReader(assembly: Assembly): Reader {
  let count = 0;
  return {
    frame({ data }) {
      if (data.error) {
        assembly.fail(classify({ text: JSON.stringify(data) }));
        return "last";
      }
      const message = asObject(data.message);
      const thinking = asText(message.thinking);
      if (thinking) {
        assembly.close("text");
        assembly.thinking("thinking", thinking);
      }
      const text = asText(message.content);
      if (text) {
        assembly.close("thinking");
        assembly.text("text", text);
      }
      for (const call of asObjects(message.tool_calls)) readCall(assembly, `call${count++}`, call);
      if (data.done !== true) return undefined;
      assembly.tokens({ input: asCount(data.prompt_eval_count), output: asCount(data.eval_count) });
      const reason = asText(data.done_reason) || "stop";
      assembly.end(ENDINGS[reason] ?? "unknown", reason);
      return "last";
    },
  };
}

function readCall(assembly: Assembly, slot: string, call: Json): void {
  assembly.close("text");
  assembly.close("thinking");
  const { name, arguments: input } = asObject(call.function);
  const delta = typeof input === "string" ? input : JSON.stringify(input ?? {});
  assembly.call(slot, { id: asText(call.id), name: asText(name), delta });
  assembly.close(slot);
}
