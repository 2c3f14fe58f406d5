import type { Envelope } from "../events/envelope.ts";
import type { EventType } from "../events/table.ts";
import type { LastLine } from "../sessions/schema.ts";

/** The types that may give a line. */
export const lineTypes: readonly EventType[] = [
  "message.user",
  "message.done",
  "tool.started",
  "turn.ended",
  "error",
  "notice",
];

const LONGEST = 200;

/** Enough to fill a line, however many blanks are in it; a text may be megabytes long. */
const LOOKED_AT = 2000;

/** The line that an event gives; `undefined` for what says nothing by itself or was said inside of a tool or subagent. */
export function lineOf(event: Envelope): LastLine | undefined {
  const [kind, said] = meaning(event);
  const text = oneLine(said ?? "");
  return kind && text !== "" ? { seq: event.seq, at: event.at, kind, text } : undefined;
}

function meaning(event: Envelope): [kind?: LastLine["kind"], text?: string] {
  switch (event.type) {
    case "message.user":
      // What Gantry itself tells an agent, such as a brief, is not the user's word.
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
  // A character of two halves is not cut between them.
  return `${line.slice(0, LONGEST - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
