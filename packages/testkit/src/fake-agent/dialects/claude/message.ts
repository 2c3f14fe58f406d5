import { randomUUID } from "node:crypto";
import { pieces } from "@gantry/scripted/agent";
import type { Json } from "@gantry/scripted/json";
import { PARTIAL_USAGE, type SessionState } from "./frames.ts";

type BlockKind = "text" | "thinking" | "tool_use";

/**
 * One reply of the model as Claude Code prints it: stream events around one `assistant` line for each content
 * block, which comes before that block's end. Opens automatically at the first block.
 */
export class MessageWriter {
  readonly #session: SessionState;
  readonly #write: (frame: Json) => void;
  readonly #partials: boolean;
  #id: string | null = null;
  #blocks = 0;
  #openItem: string | null = null;
  #lastItem: string | null = null;

  constructor(session: SessionState, write: (frame: Json) => void, partials: boolean) {
    this.#session = session;
    this.#write = write;
    this.#partials = partials;
  }

  get isOpen(): boolean {
    return this.#id !== null;
  }

  /** A chunk of text or reasoning. */
  piece(item: string, kind: "text" | "thinking", text: string): void {
    this.#openBlock(
      item,
      kind === "text" ? { type: "text", text: "" } : { type: "thinking", thinking: "", signature: "" },
    );
    this.#delta(kind === "text" ? { type: "text_delta", text } : { type: "thinking_delta", thinking: text });
  }

  /** Completes the block of `item`; opens it first if it was not streamed. */
  complete(item: string, kind: "text" | "thinking", text: string, more: Json = {}): void {
    const again = this.#openItem === null && this.#lastItem === item;
    if (!again) this.#openBlock(item, this.#content(kind, ""));
    if (!again && kind === "thinking") this.#delta({ type: "signature_delta", signature: "c2NyaXB0ZWQ=" });
    this.#assistant(this.#content(kind, text), more);
    this.#closeBlock();
  }

  tool(item: string, name: string, input: Json): void {
    this.#openBlock(item, { type: "tool_use", id: item, name, input: {} });
    for (const piece of pieces(JSON.stringify(input), 20))
      this.#delta({ type: "input_json_delta", partial_json: piece });
    this.#assistant({ type: "tool_use", id: item, name, input }, {});
    this.#closeBlock();
  }

  /** Ends the reply. `abandoned`: an interrupt ended it. */
  end(stopReason: string | null, abandoned = false): void {
    if (!this.#id) return;
    this.#closeBlock();
    const id = this.#id;
    const delta = { stop_reason: stopReason, stop_sequence: null };
    this.#event({ type: "message_delta", delta, usage: { ...PARTIAL_USAGE, output_tokens: abandoned ? 1 : 57 } });
    const left = { abandoned_blocks: { api_message_id: id, from_block_index: this.#blocks } };
    this.#event({ type: "message_stop" }, abandoned ? left : {});
    this.#id = null;
    this.#lastItem = null;
  }

  #content(kind: BlockKind, text: string): Json {
    return kind === "text" ? { type: "text", text } : { type: "thinking", thinking: text, signature: "c2NyaXB0ZWQ=" };
  }

  #openBlock(item: string, block: Json): void {
    if (this.#openItem === item) return;
    this.#closeBlock();
    if (!this.#id) this.#openMessage();
    this.#openItem = item;
    this.#event({ type: "content_block_start", index: this.#blocks, content_block: block });
  }

  #openMessage(): void {
    this.#id = `msg_${randomUUID().replaceAll("-", "").slice(0, 20)}`;
    this.#blocks = 0;
    const status = { type: "system", subtype: "status", status: "requesting" };
    this.#write({ ...status, session_id: this.#session.id, uuid: randomUUID() });
    const message = { ...this.#envelope(), content: [], usage: PARTIAL_USAGE };
    this.#event({ type: "message_start", message }, { ttft_ms: 1 });
  }

  #closeBlock(): void {
    if (this.#openItem === null) return;
    this.#lastItem = this.#openItem;
    this.#openItem = null;
    this.#event({ type: "content_block_stop", index: this.#blocks++ });
  }

  #delta(delta: Json): void {
    this.#event({ type: "content_block_delta", index: this.#blocks, delta });
  }

  #assistant(block: Json, more: Json): void {
    const message = { ...this.#envelope(), content: [block], usage: PARTIAL_USAGE, context_management: null };
    this.#write({ type: "assistant", message, ...this.#tail(), timestamp: new Date().toISOString(), ...more });
  }

  #envelope(): Json {
    return {
      id: this.#id,
      type: "message",
      role: "assistant",
      model: this.#session.model,
      stop_reason: null,
      stop_sequence: null,
    };
  }

  #event(event: Json, more: Json = {}): void {
    if (this.#partials)
      this.#write({ type: "stream_event", event, ...this.#tail(), api_message_id: this.#id, ...more });
  }

  #tail(): Json {
    return { session_id: this.#session.id, parent_tool_use_id: null, uuid: randomUUID() };
  }
}
