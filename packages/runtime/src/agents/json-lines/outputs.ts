import { draft, type EventType, type eventTable } from "@gantry/protocol";
import type { z } from "zod";
import type { DecoderEvent, Output } from "../contract.ts";

/** A type-checked event output. */
export function event<T extends DecoderEvent & EventType>(type: T, data: z.input<(typeof eventTable)[T]>): Output {
  return { kind: "event", event: draft(type, data) } as Output;
}

export function raw(channel: string, frame: unknown, reason: string): Output {
  return event("raw", { channel, frame, reason });
}
