import type { Attachment, Cost, Envelope, EventData, FileChange, Text, Usage } from "@gantry/protocol";

type Place = { at: string; seq: number; parent?: string };

/** One readable entry of a session. A tool call and its end are one entry. */
export type Entry = Place &
  (
    | { kind: "turn"; number: number }
    | { kind: "user"; text: string; attachments: Attachment[]; author: string; inline: boolean }
    | { kind: "text" | "thought"; text: string }
    | { kind: "tool"; call: ToolCall }
    | { kind: "plan"; entries: EventData<"plan.updated">["entries"] }
    | { kind: "asked"; title: string; detail?: string; decision: string; by: string; message?: string }
    | { kind: "note"; severity: "info" | "warning" | "error"; text: string }
    | {
        kind: "end";
        turn?: string;
        outcome: string;
        error?: string;
        usage?: Usage;
        cost?: Cost;
        durationMs?: number;
        model?: string;
      }
  );

export type ToolCall = {
  name: string;
  kind: string;
  title: string;
  input?: unknown;
  status: EventData<"tool.ended">["status"] | "open";
  output?: Text;
  exitCode?: number | null;
  durationMs?: number;
  changes?: FileChange[];
};

type Open = {
  /** Messages that are not delivered yet. */
  messages: Map<string, EventData<"message.user">>;
  tools: Map<string, { call: ToolCall; parent?: string }>;
  asked: Map<string, EventData<"input.requested">>;
};

/** The readable entries of a log, in order. Only open items are held in memory. */
export function* story(events: Iterable<Envelope>): Generator<Entry> {
  const open: Open = { messages: new Map(), tools: new Map(), asked: new Map() };
  let turns = 0;
  for (const event of events) {
    if (event.type === "turn.started") turns++;
    yield* entriesOf(event, open, turns);
  }
  for (const { call, parent } of open.tools.values())
    yield { at: "", seq: 0, kind: "tool", call, ...(parent ? { parent } : {}) };
}

function* entriesOf(event: Envelope, open: Open, turns: number): Generator<Entry> {
  const place = { at: event.at, seq: event.seq };
  switch (event.type) {
    case "turn.started":
      yield { ...place, kind: "turn", number: turns };
      for (const message of event.data.messages) yield* userEntry(message, place, open, false);
      return;
    case "message.user":
      open.messages.set(event.data.message, event.data);
      return;
    case "message.delivery":
      return yield* deliveryEntries(event.data, place, open);
    case "message.done":
      return yield { ...place, ...parentOf(event.data.parent), kind: "text", text: event.data.text };
    case "reasoning.done":
      if (event.data.text !== "")
        yield { ...place, ...parentOf(event.data.parent), kind: "thought", text: event.data.text };
      return;
    case "tool.started":
    case "tool.updated":
    case "tool.ended":
      return yield* toolEntries(event, place, open);
    case "plan.updated":
      return yield { ...place, kind: "plan", entries: event.data.entries };
    case "input.requested":
      open.asked.set(event.data.id, event.data);
      return;
    case "input.resolved":
      return yield* answerEntries(event.data, place, open);
    default:
      return yield* noteOf(event, place);
  }
}

/** A message is shown where it was delivered: at the start of its turn, or inside one. */
function* deliveryEntries(
  { message, state, text }: EventData<"message.delivery">,
  place: { at: string; seq: number },
  open: Open,
): Generator<Entry> {
  const known = open.messages.get(message);
  if (state === "inline") yield* userEntry(message, place, open, true);
  if (state === "edited" && known && text !== undefined) open.messages.set(message, { ...known, text });
  if (state === "cancelled") open.messages.delete(message);
}

function* userEntry(id: string, place: { at: string; seq: number }, open: Open, inline: boolean): Generator<Entry> {
  const message = open.messages.get(id);
  open.messages.delete(id);
  if (!message) return;
  const { text, attachments, author } = message;
  yield { ...place, kind: "user", text, attachments, author, inline };
}

function parentOf(parent: string | undefined): { parent?: string } {
  return parent ? { parent } : {};
}

function* toolEntries(
  event: Envelope<"tool.started" | "tool.updated" | "tool.ended">,
  place: { at: string; seq: number },
  { tools }: Open,
): Generator<Entry> {
  if (event.type === "tool.started") {
    const { item, name, kind, title, input, parent } = event.data;
    tools.set(item, { call: { name, kind, title, input, status: "open" }, ...parentOf(parent) });
    return;
  }
  const open = tools.get(event.data.item);
  if (!open) return;
  if (event.type === "tool.updated") {
    const { title, input } = event.data.patch;
    Object.assign(open.call, { ...(title ? { title } : {}), ...(input === undefined ? {} : { input }) });
    return;
  }
  tools.delete(event.data.item);
  const { item: _, structured: __, ...end } = event.data;
  yield { ...place, ...parentOf(open.parent), kind: "tool", call: { ...open.call, ...end } };
}

function* answerEntries(
  data: EventData<"input.resolved">,
  place: { at: string; seq: number },
  { asked }: Open,
): Generator<Entry> {
  const request = asked.get(data.id);
  asked.delete(data.id);
  // A grant answered it, so no person was asked.
  if (!request || data.by.startsWith("grant:")) return;
  const given = Object.values(data.answers ?? {})
    .flat()
    .join(", ");
  const message = [data.message, given].filter((part) => part).join(" ");
  const { title, detail } = request;
  yield {
    ...place,
    kind: "asked",
    title,
    decision: data.decision,
    by: data.by,
    ...(detail ? { detail } : {}),
    ...(message ? { message } : {}),
  };
}

function* noteOf(event: Envelope, place: { at: string; seq: number }): Generator<Entry> {
  const note = (text: string, severity: "info" | "warning" | "error" = "info"): Entry => ({
    ...place,
    kind: "note",
    severity,
    text,
  });
  switch (event.type) {
    case "turn.ended": {
      const { outcome, error, usage, cost, durationMs, servedModel: model } = event.data;
      return yield {
        ...place,
        kind: "end",
        turn: event.turn,
        outcome,
        error: error?.message,
        usage,
        cost,
        durationMs,
        model,
      };
    }
    case "notice":
      return yield note(event.data.text, event.data.severity);
    case "error":
      return yield note(event.data.message, "error");
    case "context.compacted":
      return yield note("The conversation was compacted.");
    case "model.changed":
      return yield note(`The model is now ${event.data.to}.`);
    case "subagent.started":
      return yield note(`A subagent started: ${event.data.title}`);
    case "handoff.ended":
      if (event.data.outcome === "completed") yield note(`Handed from ${event.data.from} to ${event.data.to}.`);
      return;
    case "limit.reached":
      return yield note(`A usage limit of ${event.data.provider} was reached.`, "warning");
    default:
      return;
  }
}
