import type { Envelope } from "@gantry/protocol";
import type { Channel } from "../../agents/contract.ts";

/**
 * Milliseconds until another process may resume the conversation. `events` is the session's log, which has the time when
 * the conversation was opened; it is read only for channels with such a delay.
 */
export function resumeDelayMs(
  channel: Channel<never>,
  conversation: { agent: string; handle: string | undefined },
  events: Iterable<Envelope>,
  now: number,
): number {
  const { agent, handle } = conversation;
  if (!channel.resumableFrom || !handle) return 0;
  for (const event of events) {
    if (event.type !== "session.updated" || event.data.patch.handles?.[agent] !== handle) continue;
    return Math.max(0, channel.resumableFrom(Date.parse(event.at)) - now);
  }
  return 0;
}
