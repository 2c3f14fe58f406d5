import type { ServerResponse } from "node:http";
import { GantryError, SessionId } from "@gantry/protocol";
import { liveFrame } from "../../hub/frames.ts";
import type { Hub, SubscribeRequest } from "../../hub/hub.ts";
import type { StoredEvent } from "../../log/port.ts";
import type { SessionService } from "../../session/api.ts";
import type { Handlers } from "../handler.ts";
import { EventStream, lastEventId, wantsStream } from "../sse.ts";
import type { ServerLog } from "./search.ts";

const DEFAULT_LIMIT = 1000;

export type EventParts = { service: SessionService; log: ServerLog; hub: Hub };

export function eventHandlers({ service, log, hub }: EventParts): Pick<Handlers, "sessionEvents" | "allEvents"> {
  return {
    sessionEvents: ({ params: { id }, query, incoming, outgoing }) => {
      const { after, tail, limit = DEFAULT_LIMIT } = query;
      if (after !== undefined && tail !== undefined)
        throw new GantryError("invalid", "Give either `after` or `tail`, not both.");
      service.get(id);
      if (wantsStream(incoming)) {
        const start = tail === undefined ? (after ?? 0) : Math.max(0, log.lastSeq(id) - tail);
        const snapshots = () => [snapshot(id)];
        const place = lastEventId(incoming) ?? start;
        stream(outgoing, (sink) => ({ kind: "session", session: id, after: place, sink, snapshots }));
        return "streamed";
      }
      const rows = tail === undefined ? log.readEvents(id, after ?? 0, limit) : log.tailEvents(id, tail);
      return { text: `{"events":${joinEnvelopes(rows)},"lastSeq":${log.lastSeq(id)},"cursor":"${log.lastId()}"}` };
    },

    allEvents: ({ query, incoming, outgoing }) => {
      const sessions = query.sessions === undefined ? undefined : sessionList(query.sessions);
      const after = lastEventId(incoming) ?? query.after ?? 0;
      if (wantsStream(incoming)) {
        const snapshots = () => (sessions ?? listWorking()).map(snapshot);
        stream(outgoing, (sink) => ({ kind: "all", sessions, after, sink, snapshots }));
        return "streamed";
      }
      const rows = log.readAll(after, query.limit ?? DEFAULT_LIMIT, sessions);
      const cursor = rows.at(-1)?.id ?? Math.min(after, log.lastId());
      return { text: `{"events":${joinEnvelopes(rows)},"cursor":"${cursor}"}` };
    },
  };

  function stream(outgoing: ServerResponse, request: (sink: EventStream) => SubscribeRequest): void {
    const sink = new EventStream(outgoing);
    if (!sink.open) return;
    const subscription = hub.subscribe(request(sink));
    sink.onDrain(subscription.resume);
    sink.onClose(subscription.close);
  }

  function snapshot(session: string): Buffer {
    return liveFrame({ type: "snapshot", session, lastSeq: log.lastSeq(session), open: openItems(session) });
  }

  /** A session that was named may not exist, or may just have gone. */
  function openItems(session: string) {
    try {
      return service.open(session);
    } catch (error) {
      if (error instanceof GantryError) return [];
      throw error;
    }
  }

  /** Sessions that may have unfinished items. */
  function listWorking(): string[] {
    const busy = (["running", "waiting"] as const).flatMap((state) => service.list({ state, limit: 500 }).sessions);
    return busy.map((session) => session.id).filter((id) => openItems(id).length > 0);
  }
}

/** The envelopes as they are stored, as one JSON array. */
function joinEnvelopes(rows: StoredEvent[]): string {
  return `[${rows.map((row) => row.json).join(",")}]`;
}

function sessionList(text: string): string[] {
  const sessions = text.split(",");
  if (sessions.every((id) => SessionId.safeParse(id).success)) return sessions;
  throw new GantryError("invalid", "`sessions` must be a list of session ids, separated by commas.");
}
