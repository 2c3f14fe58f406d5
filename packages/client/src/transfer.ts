import {
  calls,
  type ExportFormat,
  errorIn,
  GantryError,
  type ImportConversation,
  type ImportProgress,
  type PastConversation,
  type RouteQuery,
  type Session,
} from "@gantry/protocol";
import { pathOf } from "./call.ts";
import { openStream } from "./stream.ts";
import type { Transport } from "./transport.ts";

/** Imports, exports and the conversations on disk. All calls throw `GantryError`. */
export function transferMethods(transport: Transport) {
  return {
    /** Yields conversations as they are found, the newest first. */
    find: (query: RouteQuery<"listImports"> = {}, signal?: AbortSignal) => find(transport, query, signal),
    /** Imports a conversation and reports progress. */
    watch: (body: ImportConversation, onProgress: (progress: ImportProgress) => void) =>
      watch(transport, body, onProgress),
    /** `file` is the result of `exported`. */
    file: async (file: BodyInit, query: RouteQuery<"importFile"> = {}): Promise<Session> => {
      const response = await transport.request(pathOf(calls.importFile.path, { query }), {
        method: "POST",
        headers: { accept: "application/json", "content-type": "application/gzip" },
        body: file,
        // Required for a streamed body.
        ...({ duplex: "half" } as object),
      });
      return (await response.json()) as Session;
    },
    /** The exported file; read `body` in pieces, because it may be large. */
    exported: (session: string, format: ExportFormat = "gantry", redact = false): Promise<Response> => {
      const query = { format, redact: redact ? "1" : undefined };
      return transport.request(pathOf(calls.exportSession.path, { params: { id: session }, query }));
    },
  };
}

async function* find(
  transport: Transport,
  query: RouteQuery<"listImports">,
  signal?: AbortSignal,
): AsyncGenerator<PastConversation> {
  const path = pathOf(calls.listImports.path, { query });
  for await (const { event, data } of openStream(transport, path, { signal })) {
    if (event === "error") throw transferError(data);
    if (event === "done") return;
    yield data as PastConversation;
  }
}

async function watch(
  transport: Transport,
  body: ImportConversation,
  onProgress: (progress: ImportProgress) => void,
): Promise<Session> {
  const request = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  for await (const { event, data } of openStream(transport, calls.importConversation.path, {
    idleMs: 600_000,
    request,
  })) {
    if (event === "error") throw transferError(data);
    if (event === "progress") onProgress(data as ImportProgress);
    if (event === "session") return data as Session;
  }
  throw new GantryError("unavailable", "The daemon ended before the import was done.", {
    remedy: "The import resumes when the daemon starts again.",
  });
}

function transferError(data: unknown): GantryError {
  return errorIn(data) ?? new GantryError("unavailable", "The daemon's answer was incomplete.");
}
