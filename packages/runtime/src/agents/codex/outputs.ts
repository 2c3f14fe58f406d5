import { draft, type EventType, type eventTable } from "@gantry/protocol";
import type { z } from "zod";
import type { DecoderEvent, Output } from "../contract.ts";

/** An event output; `detail` goes to `ext` under the agent's id. */
export function event<T extends DecoderEvent & EventType>(
  type: T,
  data: z.input<(typeof eventTable)[T]>,
  detail?: Record<string, unknown>,
): Output {
  const more = detail && Object.keys(detail).length > 0 ? { ext: { codex: detail } } : {};
  return { kind: "event", event: draft(type, data, more) } as Output;
}

export function notice(kind: string, severity: "info" | "warning" | "error", text: string): Output {
  return event("notice", { kind, severity, text });
}

export function raw(channel: string, frame: unknown, reason: string): Output {
  return event("raw", { channel, frame, reason });
}
