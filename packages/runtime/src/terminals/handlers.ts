import type { ServerResponse } from "node:http";
import { comment, encodeFrame } from "../hub/frames.ts";
import type { Handlers } from "../server/handler.ts";
import { EventStream, lastEventId, wantsStream } from "../server/sse.ts";
import type { TerminalFeed, TerminalService } from "./port.ts";

type TerminalHandlers = Pick<
  Handlers,
  | "openTerminal"
  | "listTerminals"
  | "getTerminal"
  | "createTerminalTicket"
  | "streamTerminal"
  | "typeIntoTerminal"
  | "resizeTerminal"
  | "closeTerminal"
>;

const PIECE_BYTES = 16 * 1024;
/** Back-pressure limit: a connection with more unread bytes gets no output until it has caught up, and then a gap. */
const WAITING_BYTES = 256 * 1024;
const HEARTBEAT_MS = 15_000;

export function terminalHandlers(terminals: TerminalService): TerminalHandlers {
  return {
    openTerminal: async ({ body }) => ({ json: await terminals.open(body) }),
    listTerminals: () => ({ json: { terminals: terminals.list() } }),
    getTerminal: ({ params: { id }, query, incoming, outgoing }) => {
      if (!wantsStream(incoming)) return { json: terminals.get(id) };
      follow(terminals.feed(id), lastEventId(incoming) ?? query.after ?? 0, outgoing);
      return "streamed";
    },
    createTerminalTicket: ({ params }) => ({ json: terminals.ticket(params.id) }),
    streamTerminal: ({ params: { id }, query, incoming, outgoing }) => {
      terminals.redeem(id, query.ticket);
      if (!wantsStream(incoming)) return { json: terminals.get(id) };
      follow(terminals.feed(id), lastEventId(incoming) ?? query.after ?? 0, outgoing);
      return "streamed";
    },
    typeIntoTerminal: ({ params, body }) => ({ json: terminals.type(params.id, body.data) }),
    resizeTerminal: ({ params, body }) => ({ json: terminals.resize(params.id, body) }),
    closeTerminal: async ({ params }) => {
      await terminals.close(params.id);
      return { json: { deleted: true } };
    },
  };
}

/** Streams the scrollback from a byte on, then new output, then the end. Buffers nothing for a slow reader. */
function follow(feed: TerminalFeed, after: number, outgoing: ServerResponse): void {
  const sink = new EventStream(outgoing);
  let place = after;
  let over = false;
  const pump = () => {
    while (!over && sink.open && sink.waiting < WAITING_BYTES) {
      const { offset, bytes } = feed.read(place, PIECE_BYTES);
      if (offset > place) sink.write(encodeFrame("gap", { from: place, to: offset - 1 }));
      place = offset + bytes.length;
      if (bytes.length > 0) sink.write(outputFrame(offset, bytes));
      else if (feed.exit) end();
      else return;
    }
  };
  const end = () => {
    over = true;
    sink.write(encodeFrame("exit", feed.exit));
    sink.end();
  };
  const unwatch = feed.watch(pump);
  const heartbeat = setInterval(() => sink.write(comment()), HEARTBEAT_MS);
  sink.onDrain(pump);
  sink.onClose(() => {
    unwatch();
    clearInterval(heartbeat);
  });
  pump();
}

function outputFrame(offset: number, bytes: Buffer): Buffer {
  const data = JSON.stringify({ offset, data: bytes.toString("base64") });
  return Buffer.from(`event: output\nid: ${offset + bytes.length}\ndata: ${data}\n\n`);
}
