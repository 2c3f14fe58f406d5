import type { DevServer, OpenPreview, Preview, PreviewTicket } from "@gantry/protocol";
import type { Handlers } from "../server/handler.ts";

/** The previews of the daemon, called by the HTTP handlers. Its methods throw `GantryError`. */
export interface PreviewService {
  /** `host` is the Host header that the caller reached the daemon with; it decides the preview's host name. */
  open(body: OpenPreview, host: string | undefined): Promise<Preview>;
  list(host: string | undefined): Preview[];
  /** A one-time link that opens a preview at a path; the path of its target if none is given. Throws `no_such_preview`. */
  ticket(id: string, path: string | undefined, host: string | undefined): PreviewTicket;
  close(id: string): Promise<void>;
  /** Servers that the session's processes run or whose address they printed. Throws `no_such_session`. */
  servers(session: string): Promise<DevServer[]>;
  /** Drops unused tickets and the passes of browsers, and ends their connections. The previews stay open. */
  revokePasses(): void;
}

type PreviewHandlers = Pick<
  Handlers,
  "openPreview" | "listPreviews" | "createPreviewTicket" | "closePreview" | "listDevServers"
>;

export function previewHandlers(previews: PreviewService): PreviewHandlers {
  return {
    openPreview: async ({ body, incoming }) => ({ json: await previews.open(body, incoming.headers.host) }),
    listPreviews: ({ incoming }) => ({ json: { previews: previews.list(incoming.headers.host) } }),
    createPreviewTicket: ({ params, body, incoming }) => ({
      json: previews.ticket(params.id, body.path, incoming.headers.host),
    }),
    listDevServers: async ({ params }) => ({ json: { servers: await previews.servers(params.id) } }),
    closePreview: async ({ params }) => {
      await previews.close(params.id);
      return { json: { deleted: true } };
    },
  };
}
