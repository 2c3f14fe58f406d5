import { type Envelope, GantryError, type Item, type OpenItem, type Text } from "@gantry/protocol";
import type { Blobs } from "../log/blobs.ts";
import type { Store } from "../log/port.ts";

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
