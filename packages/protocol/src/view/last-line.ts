import type { Envelope } from "../events/envelope.ts";
import type { EventType } from "../events/table.ts";
import type { LastLine } from "../sessions/schema.ts";
import { plainText } from "./plain-text.ts";

/** The event types that can produce a line. */
export const lineTypes: readonly EventType[] = [
  "message.user",
  "message.done",
  "tool.started",
  "turn.ended",
  "error",
  "notice",
];

const LONGEST = 200;

/** Enough to fill a line despite white space. Only this prefix is read: a text may have megabytes. */
const LOOKED_AT = 2000;

/** The line of an event; `undefined` for an event without text and for output of a tool or subagent. */
export function lineOf(event: Envelope): LastLine | undefined {
  const [kind, raw = ""] = kindAndText(event);
  if (!kind) return undefined;
  const text = oneLine(kind === "agent" ? plainText(raw.trimStart().slice(0, LOOKED_AT)) : raw);
  return text === "" ? undefined : { seq: event.seq, at: event.at, kind, text };
}

function kindAndText(event: Envelope): [kind?: LastLine["kind"], text?: string] {
  switch (event.type) {
    case "message.user":
      // A message from Gantry, such as a brief, is not the user's.
      return event.data.author === "gantry" ? [] : ["user", event.data.text];
    case "message.done":
      return event.data.parent === undefined ? ["agent", event.data.text] : [];
    case "tool.started":
      return event.data.parent === undefined ? ["tool", event.data.title || event.data.name] : [];
    case "turn.ended":
      return event.data.outcome === "failed" ? ["error", event.data.error?.message] : [];
    case "error":
      return ["error", event.data.message];
    case "notice":
      return event.data.severity === "info" ? [] : ["notice", event.data.text];
    default:
      return [];
  }
}

function oneLine(text: string): string {
  const line = text.trimStart().slice(0, LOOKED_AT).replace(/\s+/g, " ").trim();
  if (line.length <= LONGEST) return line;
  // Do not cut a surrogate pair.
  return `${line.slice(0, LONGEST - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
