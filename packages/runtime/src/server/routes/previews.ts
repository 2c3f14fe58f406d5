import type { PreviewService } from "../../preview/port.ts";
import type { Handlers } from "../handler.ts";

type PreviewRoutes = Pick<Handlers, "openPreview" | "listPreviews" | "closePreview">;

export function previewRoutes(previews: PreviewService): PreviewRoutes {
  return {
    openPreview: async ({ body, incoming }) => ({ json: await previews.open(body, incoming.headers.host) }),
    listPreviews: ({ incoming }) => ({ json: { previews: previews.list(incoming.headers.host) } }),
    closePreview: async ({ params }) => {
      await previews.close(params.id);
      return { json: { deleted: true } };
    },
  };
}
