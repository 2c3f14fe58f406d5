import type { OpenPreview, Preview } from "@gantry/protocol";
import type { Handlers } from "../server/handler.ts";

/** The previews of the daemon, called by the HTTP handlers. Its methods throw `GantryError`. */
export interface PreviewService {
  /** `host` is the Host header that the caller reached the daemon with; it decides the preview's host name. */
  open(body: OpenPreview, host: string | undefined): Promise<Preview>;
  list(host: string | undefined): Preview[];
  close(id: string): Promise<void>;
}

type PreviewHandlers = Pick<Handlers, "openPreview" | "listPreviews" | "closePreview">;

export function previewHandlers(previews: PreviewService): PreviewHandlers {
  return {
    openPreview: async ({ body, incoming }) => ({ json: await previews.open(body, incoming.headers.host) }),
    listPreviews: ({ incoming }) => ({ json: { previews: previews.list(incoming.headers.host) } }),
    closePreview: async ({ params }) => {
      await previews.close(params.id);
      return { json: { deleted: true } };
    },
  };
}
