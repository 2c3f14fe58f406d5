import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { GantryError } from "@gantry/protocol";
import { encodeFrame } from "../hub/frames.ts";
import { describeError } from "../server/errors.ts";
import type { Handlers } from "../server/handler.ts";
import { EventStream, wantsStream } from "../server/sse.ts";
import type { Exported, TransferService } from "./port.ts";

const SHOWN = 200;
const FILE_TYPES = ["application/gzip", "application/octet-stream", "application/x-gzip"];

type Names = "listImports" | "importConversation" | "importFile" | "exportSession";

export function transferHandlers(transfer: TransferService): Pick<Handlers, Names> {
  return {
    listImports: async ({ query: { agent, cwd, limit = SHOWN }, incoming, outgoing }) => {
      const wanted = { agent, cwd, limit };
      if (!wantsStream(incoming)) return { json: await transfer.list(wanted) };
      return streamFrames(outgoing, async (publish) => {
        const { complete, problems } = await transfer.list(wanted, (found) => publish("conversation", found));
        return { name: "done", value: { complete, problems } };
      });
    },
    importConversation: async ({ body, incoming, outgoing }) => {
      if (!wantsStream(incoming)) {
        const { session, created } = await transfer.importConversation(body);
        return { json: session, status: created ? 201 : 200 };
      }
      return streamFrames(outgoing, async (publish) => {
        const { session } = await transfer.importConversation(body, (progress) => publish("progress", progress));
        return { name: "session", value: session };
      });
    },
    importFile: async ({ query, incoming, outgoing }) => {
      const type = incoming.headers["content-type"]?.split(";")[0]?.trim().toLowerCase() ?? "";
      if (!FILE_TYPES.includes(type))
        throw new GantryError("unsupported_media", `A file is sent as ${FILE_TYPES[0]}, not as ${type || "nothing"}.`);
      const { session, created } = await transfer.importFile(incoming, {
        ...query,
        bytes: Number(incoming.headers["content-length"] ?? 0),
        signal: signalOfClose(outgoing),
      });
      return { json: session, status: created ? 201 : 200 };
    },
    exportSession: async ({ params, query, outgoing }) => {
      const exported = transfer.export(params.id, query.format ?? "gantry", { redact: query.redact === "1" });
      return sendPieces(outgoing, exported);
    },
  };
}

/** Aborted with a `GantryError` when the connection ends before the response does. */
function signalOfClose(outgoing: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const error = new GantryError("bad_request", "The client disconnected. Nothing was imported.");
  outgoing.once("close", () => outgoing.writableFinished || controller.abort(error));
  return controller.signal;
}

type NamedFrame = { name: string; value: object };

/** Streams results as they arrive. An error after the first frame becomes a separate frame; earlier ones are thrown. */
async function streamFrames(
  outgoing: ServerResponse,
  work: (publish: (name: string, value: object) => void) => Promise<NamedFrame>,
): Promise<"streamed"> {
  let stream: EventStream | undefined;
  const publish = (name: string, value: object) => {
    stream ??= new EventStream(outgoing);
    stream.write(encodeFrame(name, value));
  };
  try {
    const { name, value } = await work(publish);
    publish(name, value);
  } catch (error) {
    if (!stream) throw error;
    publish("error", describeError(error).body);
  } finally {
    stream?.end();
  }
  return "streamed";
}

/** No faster than the caller reads. An export that breaks off must not look like a whole one: the connection is cut. */
async function sendPieces(outgoing: ServerResponse, { name, type, pieces }: Exported): Promise<"streamed"> {
  outgoing.writeHead(200, {
    "content-type": type,
    "content-disposition": `attachment; filename="${name}"`,
    "content-security-policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
  });
  try {
    for await (const piece of pieces) {
      if (outgoing.destroyed) break;
      if (!outgoing.write(piece)) await Promise.race([once(outgoing, "drain"), once(outgoing, "close")]);
    }
    outgoing.end();
    return "streamed";
  } catch (error) {
    outgoing.destroy();
    throw error;
  }
}
