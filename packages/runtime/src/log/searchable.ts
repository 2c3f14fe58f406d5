import type { Envelope, EventType, Text } from "@gantry/protocol";

const OUTPUT_CHARACTERS = 2048;

/** The event types with searchable text. */
export const searchableTypes: readonly EventType[] = [
  "message.user",
  "message.delivery",
  "message.done",
  "notice",
  "error",
  "tool.started",
  "tool.ended",
  "plan.updated",
];

/** The searchable text of an event; `undefined` if it has none. */
export function searchableText(event: Envelope): string | undefined {
  const text = textOf(event);
  return text?.trim() ? text : undefined;
}

function textOf(event: Envelope): string | undefined {
  switch (event.type) {
    case "message.user":
    case "message.done":
    case "notice":
    // The new text of an edited message.
    case "message.delivery":
      return event.data.text;
    case "error":
      return event.data.message;
    case "tool.started":
      return join(event.data.title, commandOf(event.data.input));
    case "tool.ended":
      return event.data.output === undefined ? undefined : headOf(event.data.output);
    case "plan.updated":
      return join(event.data.explanation, ...event.data.entries.map((entry) => entry.text));
    default:
      return undefined;
  }
}

function join(...parts: (string | undefined)[]): string {
  return [...new Set(parts.filter((part) => part))].join("\n");
}

function commandOf(input: unknown): string | undefined {
  const command = (input as { command?: unknown } | null | undefined)?.command;
  if (typeof command === "string") return command.slice(0, OUTPUT_CHARACTERS);
  if (!Array.isArray(command)) return undefined;
  return command
    .filter((word) => typeof word === "string")
    .join(" ")
    .slice(0, OUTPUT_CHARACTERS);
}

function headOf(output: Text): string {
  return (typeof output === "string" ? output : output.head).slice(0, OUTPUT_CHARACTERS);
}
