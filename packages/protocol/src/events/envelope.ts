import { z } from "zod";
import { SessionId, TurnId } from "../ids.ts";
import { type EventData, type EventType, eventTable, eventTypes } from "./table.ts";

/** An event before it has a place in a log. `turn` is left out for facts of the whole session. */
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

const frame = {
  v: z.literal(1),
  session: SessionId,
  seq: z.number().int().min(1),
  at: z.iso.datetime(),
  turn: TurnId.optional(),
  ext: z.record(z.string(), z.unknown()).optional(),
  synthetic: z.boolean().optional(),
};

/** The envelope with the data of each type, as one schema. */
export const EnvelopeSchema = z.discriminatedUnion(
  "type",
  eventTypes.map((type) => z.object({ ...frame, type: z.literal(type), data: eventTable[type] })) as unknown as [
    z.ZodObject<{ type: z.ZodLiteral<EventType> }>,
    ...z.ZodObject<{ type: z.ZodLiteral<EventType> }>[],
  ],
);

/** Shorthand for making a draft with the types checked. */
export function draft<T extends EventType>(
  type: T,
  data: z.input<(typeof eventTable)[T]>,
  more: { turn?: string; ext?: Record<string, unknown>; synthetic?: boolean } = {},
): Draft<T> {
  return { type, data, ...more } as unknown as Draft<T>;
}
