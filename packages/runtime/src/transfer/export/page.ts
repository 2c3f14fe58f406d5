import type { Envelope, SessionView } from "@gantry/protocol";
import type { Blobs } from "../../log/blobs.ts";
import type { Store } from "../../log/port.ts";
import { eventsUpTo } from "../container/write.ts";
import { type Entry, story } from "./story.ts";

/** The input of the readable formats. */
export type Page = {
  view: SessionView;
  agentName: string;
  version: string;
  now: string;
  blobs: Blobs;
  redacted: boolean;
  /** Redacts a text of the session. */
  clean(text: string): string;
  entries(): Iterable<Entry>;
  /** The redacted patch of a turn. */
  patchOf(turn: string): Promise<string | undefined>;
};

/** Reads entry by entry, so that a log of any length fits in memory. */
export function* entriesOf(store: Store, view: SessionView): Generator<Entry> {
  yield* story(events(store, view));
}

function* events(store: Store, view: SessionView): Generator<Envelope> {
  for (const json of eventsUpTo(store, view)) yield JSON.parse(json) as Envelope;
}
