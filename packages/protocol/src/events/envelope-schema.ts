import { z } from "zod";
import { SessionId, TurnId } from "../ids/schema.ts";
import { type EventType, eventTable, eventTypes } from "./table.ts";

const frame = {
  v: z.literal(1),
  session: SessionId,
  seq: z.number().int().min(1),
  at: z.iso.datetime(),
  turn: TurnId.optional(),
  ext: z.record(z.string(), z.unknown()).optional(),
  synthetic: z.boolean().optional(),
};

/** Every envelope, as a union over the event types. */
export const EnvelopeSchema = z.discriminatedUnion(
  "type",
  eventTypes.map((type) => z.object({ ...frame, type: z.literal(type), data: eventTable[type] })) as unknown as [
    z.ZodObject<{ type: z.ZodLiteral<EventType> }>,
    ...z.ZodObject<{ type: z.ZodLiteral<EventType> }>[],
  ],
);
