import type { AssistantMessage, TextBlock, ThinkingBlock, ToolCall } from "@gantry/models";
import type { MessagePiece } from "../contract/events.ts";

type Block = TextBlock | ThinkingBlock | ToolCall;

/**
 * The partial answer so far. Used when a stream ends without its final message: stopped by a rule, abandoned after an
 * abort, or interrupted. Incomplete calls are left out.
 */
export class Draft {
  readonly #blocks = new Map<number, Block>();
  readonly #complete = new Set<number>();
  /** By block index: why the arguments of a complete call cannot be parsed. */
  readonly #invalid = new Map<number, string>();

  add(piece: MessagePiece): void {
    switch (piece.type) {
      case "text_start":
      case "thinking_start":
        this.#blocks.set(piece.index, block(piece.type));
        return;
      case "text_delta":
      case "thinking_delta":
        this.#grow(piece.index, piece.type, piece.delta);
        return;
      case "text_end":
        this.#blocks.set(piece.index, { type: "text", text: piece.text });
        return;
      case "thinking_end":
        this.#blocks.set(piece.index, { type: "thinking", thinking: piece.thinking });
        return;
      case "toolcall_end":
        this.#blocks.set(piece.index, piece.toolCall);
        this.#complete.add(piece.index);
        if (piece.invalid !== undefined) this.#invalid.set(piece.index, piece.invalid);
        return;
      default:
    }
  }

  content(): Block[] {
    return this.#sortBlocks()
      .map(([, each]) => each)
      .filter((each) => each.type === "toolCall" || (each.type === "text" ? each.text !== "" : each.thinking !== ""));
  }

  /** Why the arguments of the nth call cannot be parsed. */
  invalidReason(place: number): string | undefined {
    const calls = this.#sortBlocks().filter(([index]) => this.#complete.has(index));
    const index = calls[place]?.[0];
    return index === undefined ? undefined : this.#invalid.get(index);
  }

  #sortBlocks(): [number, Block][] {
    return [...this.#blocks].sort(([a], [b]) => a - b);
  }

  #grow(index: number, type: "text_delta" | "thinking_delta", delta: string): void {
    const known = this.#blocks.get(index) ?? block(type === "text_delta" ? "text_start" : "thinking_start");
    if (known.type === "text") known.text += delta;
    if (known.type === "thinking") known.thinking += delta;
    this.#blocks.set(index, known);
  }
}

function block(type: "text_start" | "thinking_start"): Block {
  return type === "text_start" ? { type: "text", text: "" } : { type: "thinking", thinking: "" };
}

/** Makes call ids unique, whatever the provider sent: each result must belong to exactly one call. */
export function distinctCalls(message: AssistantMessage): AssistantMessage {
  const seen = new Set<string>();
  let changed = false;
  const content = message.content.map((each, place) => {
    if (each.type !== "toolCall") return each;
    let id = each.id === "" ? `call_${place}` : each.id;
    while (seen.has(id)) id = `${id}_${place}`;
    seen.add(id);
    if (id === each.id) return each;
    changed = true;
    return { ...each, id };
  });
  return changed ? { ...message, content } : message;
}

export function callsOf(message: AssistantMessage): ToolCall[] {
  return message.content.filter((each) => each.type === "toolCall");
}
