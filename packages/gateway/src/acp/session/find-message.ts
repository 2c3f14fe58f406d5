import type { Envelope } from "@gantry/protocol";
import { turnEnd } from "../updates/translator.ts";
import type { TurnEnd } from "../updates/update.ts";
import { type Api, callApi } from "./api.ts";

/** A message that is in the log already: the turn that took it, and how that turn ended. */
export type SentMessage = { turn?: string; end?: TurnEnd };

const PAGE = 1000;

/** Searches the log for a message that a client sends again because it lost the response. */
export async function findMessage(api: Api, session: string, message: string): Promise<SentMessage | undefined> {
  let found: SentMessage | undefined;
  for (let after = 0; ; after += PAGE) {
    const { events, lastSeq } = await callApi(api, (client) => client.sessions.events(session, { after, limit: PAGE }));
    for (const event of events) found = follow(found, event, message);
    if (found?.end || after + PAGE >= lastSeq) return found;
  }
}

function follow(found: SentMessage | undefined, event: Envelope, message: string): SentMessage | undefined {
  if (event.type === "message.user" && event.data.message === message) return {};
  if (!found) return undefined;
  if (event.type === "turn.started" && event.data.messages.includes(message)) return { turn: event.turn };
  if (event.type === "turn.ended" && event.turn === found.turn) return { ...found, end: turnEnd(event.data) };
  if (event.type !== "message.delivery" || event.data.message !== message || found.end) return found;
  if (event.data.state === "cancelled") return { end: { stopReason: "cancelled" } };
  return event.data.state === "queued" ? {} : found;
}
