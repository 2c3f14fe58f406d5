import type { z } from "zod";
import type { EventData, EventType, eventTable } from "./table.ts";

/** An event before it is appended to a log. Events about the whole session have no `turn`. */
export type Draft<T extends EventType = EventType> = {
  [K in T]: { type: K; data: EventData<K>; turn?: string; ext?: Record<string, unknown>; synthetic?: boolean };
}[T];

/** A durable event in its log. `seq` starts at 1 and has no gaps; `ext` is `{ [agentId]: anything }`. */
export type Envelope<T extends EventType = EventType> = Draft<T> & {
  v: 1;
  session: string;
  seq: number;
  at: string;
};

/** Creates a draft with checked types. */
export function draft<T extends EventType>(
  type: T,
  data: z.input<(typeof eventTable)[T]>,
  more: { turn?: string; ext?: Record<string, unknown>; synthetic?: boolean } = {},
): Draft<T> {
  return { type, data, ...more } as unknown as Draft<T>;
}
