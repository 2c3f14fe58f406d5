import type { Assembly, Ending } from "../assembly.ts";
import { classify } from "../failure/classify.ts";
import { asCount, asObject, asObjects, asText, type Json } from "../json.ts";
import type { Reader } from "../transport.ts";
import { REASONING_FIELDS } from "./messages.ts";

const ENDINGS: Record<string, Ending> = {
  stop: "stop",
  end: "stop",
  eos: "stop",
  end_turn: "stop",
  length: "length",
  max_tokens: "length",
  tool_calls: "toolUse",
  function_call: "toolUse",
  content_filter: "refused",
};

/** Reads the chunks of a Chat Completions stream. */
export function completionReader(assembly: Assembly, field: (typeof REASONING_FIELDS)[number]): Reader {
  const calls = new CallFragments(assembly);
  const fields = [field, ...REASONING_FIELDS.filter((name) => name !== field)];
  return {
    frame({ data }) {
      if (data.error) {
        assembly.fail(classify({ text: JSON.stringify(data) }));
        return "last";
      }
      assembly.responseId ??= asText(data.id) || undefined;
      const choice = asObjects(data.choices)[0];
      readUsage(assembly, asObject(data.usage ?? choice?.usage));
      if (!choice) return undefined;
      const delta = asObject(choice.delta ?? choice.message);
      readThinking(assembly, delta, fields);
      const text = asText(delta.content);
      if (text) {
        assembly.close("thinking");
        assembly.text("text", text);
      }
      for (const call of asObjects(delta.tool_calls)) calls.add(call);
      readDetails(assembly, calls, delta);
      if (delta.refusal) assembly.text("text", asText(delta.refusal));
      const reason = asText(choice.finish_reason);
      if (reason) {
        const refused = typeof delta.refusal === "string" && delta.refusal !== "";
        assembly.end(refused ? "refused" : (ENDINGS[reason] ?? "unknown"), reason);
      }
      return undefined;
    },
  };
}

/** Tool calls arrive in fragments with an index. Some endpoints omit it, or use the same index for every call. */
class CallFragments {
  readonly #assembly: Assembly;
  readonly #slots = new Map<string, { slot: string; id: string }>();
  #last = "";
  #count = 0;

  constructor(assembly: Assembly) {
    this.#assembly = assembly;
  }

  add(call: Json): void {
    const id = asText(call.id);
    const { name, arguments: input } = asObject(call.function);
    const key = typeof call.index === "number" ? String(call.index) : id || this.#last || "0";
    const known = this.#slots.get(key);
    const other = known && id !== "" && known.id !== "" && known.id !== id;
    if (!known || other) {
      this.#assembly.close("text");
      this.#assembly.close("thinking");
      if (known) this.#assembly.close(known.slot);
      this.#slots.set(key, { slot: `call${this.#count++}`, id });
    }
    this.#last = key;
    const delta = typeof input === "string" ? input : input ? JSON.stringify(input) : "";
    this.#assembly.call(this.#slots.get(key)?.slot ?? key, { id, name: asText(name), delta });
  }

  slotOf(id: string): string | undefined {
    return [...this.#slots.values()].find((call) => call.id === id)?.slot;
  }
}

function readThinking(assembly: Assembly, delta: Json, fields: readonly string[]): void {
  const field = fields.find((name) => asText(delta[name]) !== "");
  if (!field) return;
  assembly.close("text");
  assembly.thinking("thinking", asText(delta[field]));
  assembly.mark("thinking", { thinkingSignature: field });
}

/** OpenRouter sends encrypted reasoning with the call that it led to, and requires it back with that call. */
function readDetails(assembly: Assembly, calls: CallFragments, delta: Json): void {
  for (const detail of asObjects(delta.reasoning_details)) {
    if (detail.type !== "reasoning.encrypted" || !detail.data) continue;
    const slot = calls.slotOf(asText(detail.id));
    if (slot) assembly.mark(slot, { thoughtSignature: JSON.stringify(detail) });
  }
}

function readUsage(assembly: Assembly, usage: Json): void {
  if (Object.keys(usage).length === 0) return;
  const details = asObject(usage.prompt_tokens_details);
  const read = asCount(details.cached_tokens) || asCount(usage.prompt_cache_hit_tokens);
  const write = asCount(details.cache_write_tokens);
  assembly.tokens({
    input: Math.max(0, asCount(usage.prompt_tokens) - read - write),
    output: asCount(usage.completion_tokens),
    cacheRead: read,
    cacheWrite: write,
    reasoning: asCount(asObject(usage.completion_tokens_details).reasoning_tokens),
  });
}
