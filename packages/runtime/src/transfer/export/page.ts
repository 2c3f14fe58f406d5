import type { Envelope, SessionView } from "@gantry/protocol";
import type { Blobs } from "../../log/blobs.ts";
import type { Store } from "../../log/port.ts";
import { eventsUpTo } from "../container/write.ts";
import { type Entry, story } from "./story.ts";

/** A session as the formats for people want it. */
export type Page = {
  view: SessionView;
  agentName: string;
  version: string;
  now: string;
  blobs: Blobs;
  redacted: boolean;
  /** Every text of the session goes through this. */
  clean(text: string): string;
  entries(): Iterable<Entry>;
  /** What a turn changed, cleaned. */
  patchOf(turn: string): Promise<string | undefined>;
};

/** Entry by entry, from a log of any length. */
export function* entriesOf(store: Store, view: SessionView): Generator<Entry> {
  yield* story(events(store, view));
}

function* events(store: Store, view: SessionView): Generator<Envelope> {
  for (const json of eventsUpTo(store, view)) yield JSON.parse(json) as Envelope;
}
