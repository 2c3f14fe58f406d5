import { draft, type EventType, type eventTable } from "@gantry/protocol";
import type { z } from "zod";
import type { DecoderEvent, Outbound, Output } from "../contract.ts";

/** The channel name of every dialect. */
export const CHANNEL = "acp";

export function event<T extends DecoderEvent & EventType>(type: T, data: z.input<(typeof eventTable)[T]>): Output {
  return { kind: "event", event: draft(type, data) } as Output;
}

export function notice(kind: string, severity: "info" | "warning" | "error", text: string): Output {
  return event("notice", { kind, severity, text });
}

export function raw(frame: unknown, reason: string): Output {
  return event("raw", { channel: CHANNEL, frame, reason });
}

export function send(msg: unknown, more: Partial<Outbound> = {}): Output {
  return { kind: "send", frame: { msg, repeat: "safe", ...more } };
}
