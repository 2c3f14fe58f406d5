import { draft, type EventType, type eventTable } from "@gantry/protocol";
import type { z } from "zod";
import type { DecoderEvent, Output } from "../contract.ts";

/** The channel name, also used in `raw` events. */
export const CHANNEL = "stream-json";

/** The provider whose limits apply. */
export const PROVIDER = "anthropic";

/** An event output; `detail` goes to `ext` under the agent's id. */
export function event<T extends DecoderEvent & EventType>(
  type: T,
  data: z.input<(typeof eventTable)[T]>,
  detail?: Record<string, unknown>,
): Output {
  const more = detail && Object.keys(detail).length > 0 ? { ext: { claude: detail } } : {};
  return { kind: "event", event: draft(type, data, more) } as Output;
}

export function notice(kind: string, severity: "info" | "warning" | "error", text: string): Output {
  return event("notice", { kind, severity, text });
}

export function raw(frame: unknown, reason: string): Output {
  return event("raw", { channel: CHANNEL, frame, reason });
}
