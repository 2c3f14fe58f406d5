import type { Envelope, Session } from "@gantry/protocol";
import type { LogReader } from "./transcript.ts";

/** A fake of the daemon's log of one session: messages of the agent with these texts, between events without text. */
export function fakeLog(texts: readonly string[]): LogReader {
  const events = texts.flatMap((text, at) => [
    { seq: 2 * at + 1, type: "message.done", data: { item: `itm_${at}`, text } },
    { seq: 2 * at + 2, type: "context.usage", data: { used: 1 } },
  ]) as unknown as Envelope[];
  const lastSeq = events.length;
  return {
    sessions: {
      get: async () => ({ lastSeq }) as Session,
      events: async (_id, { after = 0, limit = 1000 } = {}) => ({
        ...{ lastSeq, cursor: "0" },
        events: events.slice(Number(after), Number(after) + Number(limit)),
      }),
    },
  };
}
