import type { StreamEvent } from "@gantry/models";
import type { Secrets } from "../../contract/ports.ts";

type Opener = ReturnType<Secrets["opener"]>;

/** Restores secrets in a model's stream: in each delta, and in the complete content of the end events. */
export async function* unsealStream(events: AsyncIterable<StreamEvent>, secrets: Secrets): AsyncGenerator<StreamEvent> {
  const openers = new Map<number, Opener>();
  for await (const event of events) {
    switch (event.type) {
      case "text_delta":
      case "thinking_delta":
      case "toolcall_delta": {
        const delta = openerOf(openers, event.index, secrets).push(event.delta);
        if (delta !== "") yield { ...event, delta };
        break;
      }
      case "text_end":
      case "thinking_end":
      case "toolcall_end":
        yield* rest(openers, event);
        yield openedEnd(event, secrets);
        break;
      case "done":
      case "error":
        yield { ...event, message: secrets.open(event.message) };
        break;
      default:
        yield event;
    }
  }
}

function openerOf(openers: Map<number, Opener>, index: number, secrets: Secrets): Opener {
  const known = openers.get(index) ?? secrets.opener();
  openers.set(index, known);
  return known;
}

type End = Extract<StreamEvent, { type: "text_end" | "thinking_end" | "toolcall_end" }>;

/** Yields the text that an opener held back. */
function* rest(openers: Map<number, Opener>, event: End): Generator<StreamEvent> {
  const delta = openers.get(event.index)?.end() ?? "";
  openers.delete(event.index);
  if (delta === "") return;
  if (event.type === "text_end") yield { type: "text_delta", index: event.index, delta };
  else if (event.type === "thinking_end") yield { type: "thinking_delta", index: event.index, delta };
  else yield { type: "toolcall_delta", index: event.index, delta };
}

function openedEnd(event: End, secrets: Secrets): StreamEvent {
  if (event.type === "text_end") return { ...event, text: secrets.open(event.text) };
  if (event.type === "thinking_end") return { ...event, thinking: secrets.open(event.thinking) };
  return { ...event, toolCall: secrets.open(event.toolCall) };
}
