import type { MessagePiece } from "../../contract/events.ts";
import type { AgentMessage } from "../../contract/messages.ts";
import type { PartialAnswer } from "../../contract/session-event.ts";

type Wire = Record<string, unknown>;

/**
 * The answer so far, for clients that show the message of an update instead of collecting its pieces. Each block has the
 * place that the pieces name, also if it is empty; a call has its arguments when they are complete.
 */
export class PartialMessage {
  #start: Omit<PartialAnswer, "content"> = { role: "assistant" };
  #blocks: Wire[] = [];

  start(message: AgentMessage): void {
    if (message.role !== "assistant") return;
    this.#start = { ...message };
    this.#blocks = [];
  }

  /** Returns the message with this piece. The result does not change later. */
  add(piece: MessagePiece): PartialAnswer {
    for (let at = this.#blocks.length; at <= piece.index; at += 1) this.#blocks.push({ type: "text", text: "" });
    this.#blocks[piece.index] = blockWith(this.#blocks[piece.index] ?? {}, piece);
    return { ...this.#start, content: [...this.#blocks] as PartialAnswer["content"] };
  }
}

function blockWith(known: Wire, piece: MessagePiece): Wire {
  switch (piece.type) {
    case "text_start":
      return { type: "text", text: "" };
    case "text_delta":
      return { type: "text", text: `${known.text ?? ""}${piece.delta}` };
    case "text_end":
      return { type: "text", text: piece.text };
    case "thinking_start":
      return { type: "thinking", thinking: "" };
    case "thinking_delta":
      return { type: "thinking", thinking: `${known.thinking ?? ""}${piece.delta}` };
    case "thinking_end":
      return { type: "thinking", thinking: piece.thinking };
    case "toolcall_start":
      return { type: "toolCall", id: piece.id, name: piece.name, arguments: {} };
    case "toolcall_delta":
      return known;
    case "toolcall_end":
      return { ...piece.toolCall };
  }
}
