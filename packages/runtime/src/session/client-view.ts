import {
  type Command,
  type Envelope,
  GantryError,
  type Item,
  listTasks,
  type OpenItem,
  pendingSteers,
  type Session,
  type SessionView,
  sessionState,
  type Text,
} from "@gantry/protocol";
import type { Blobs } from "../log/blobs.ts";
import type { Store } from "../log/port.ts";

const MAX_COMMANDS = 200;

/** The view without the fields that only the engine needs. */
export function toClientSession(view: SessionView): Session {
  const {
    ended,
    sent,
    tally,
    tools,
    subagents,
    grants,
    trouble,
    commandsAt,
    compactedAt,
    inputs,
    handingTo,
    handoff,
    leftAt,
    tasks,
    ...shown
  } = view;
  const steers = view.turn ? pendingSteers(view).map(({ turn, ...message }) => message) : [];
  return {
    ...shown,
    ...(steers.length > 0 ? { steers } : {}),
    ...(tasks ? { tasks: listTasks(view) } : {}),
    ...(handingTo ? { handingTo: (({ brief, ...asked }) => asked)(handingTo) } : {}),
    ...(handoff ? { handoff: (({ before, seq, message, ...open }) => open)(handoff) } : {}),
    state: sessionState(view),
    queueState: view.queueState ?? "running",
    inputs: inputs.map(({ native, ...input }) => input),
  };
}

/** Adds the agent's slash commands, which are too large for lists of sessions. */
export function toClientSessionWithCommands(store: Store, view: SessionView): Session {
  const commands = commandsOf(store, view);
  return { ...toClientSession(view), ...(commands ? { commands } : {}) };
}

function commandsOf(store: Store, { id, commandsAt }: SessionView): Command[] | undefined {
  if (commandsAt === undefined) return undefined;
  const [row] = store.readEvents(id, commandsAt - 1, 1);
  const event = row && (JSON.parse(row.json) as Envelope);
  return event?.type === "commands.changed" ? event.data.list.slice(0, MAX_COMMANDS) : undefined;
}

export type ItemSource = { store: Store; blobs: Blobs; open: OpenItem[] };

/** One item with its events and its full text, read from the blob store if it was spilled. */
export function readItem(source: ItemSource, session: string, item: string): Item {
  const events = source.store.findItem(session, item).map((row) => JSON.parse(row.json) as Envelope);
  const streamed = source.open.filter((entry) => entry.item === item);
  if (events.length === 0 && streamed.length === 0) {
    throw new GantryError("no_such_item", `${session} has no item ${item}.`);
  }
  const last = [...events].reverse().find(isDone);
  const text = last
    ? fullText(source.blobs, textOf(last))
    : (streamed.find((entry) => entry.channel !== "input")?.text ?? "");
  return { item, open: !last, kind: kindOf(events, streamed), text, events };
}

function isDone(event: Envelope): boolean {
  return event.type === "message.done" || event.type === "reasoning.done" || event.type === "tool.ended";
}

function textOf(event: Envelope): Text | undefined {
  if (event.type === "message.done" || event.type === "reasoning.done") return event.data.text;
  return event.type === "tool.ended" ? event.data.output : undefined;
}

function fullText(blobs: Blobs, text: Text | undefined): string {
  if (text === undefined) return "";
  return typeof text === "string" ? text : (blobs.read(text.blob) ?? `${text.head}\n…\n${text.tail}`);
}

function kindOf(events: Envelope[], streamed: OpenItem[]): Item["kind"] {
  if (events.some((event) => event.type.startsWith("tool."))) return "tool";
  if (events.some((event) => event.type === "message.done")) return "message";
  if (events.some((event) => event.type === "reasoning.done")) return "reasoning";
  const channel = streamed[0]?.channel;
  if (channel === "text") return "message";
  if (channel === "reasoning") return "reasoning";
  return channel ? "tool" : "unknown";
}
