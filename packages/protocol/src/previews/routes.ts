import { z } from "zod";
import type { Route } from "../routing/route.ts";
import { OpenPreview, Preview } from "./schema.ts";

/** Dev servers of the daemon's machine, each shown under an origin of its own. */
export const previewRoutes = {
  openPreview: {
    method: "POST",
    path: "/v1/previews",
    summary: "Shows a dev server on loopback under an origin of its own.",
    body: OpenPreview,
    status: 201,
    response: Preview,
    errors: ["invalid", "no_such_session", "too_many_previews", "unavailable"],
    client: "previews.open(body)",
  },
  listPreviews: {
    method: "GET",
    path: "/v1/previews",
    summary: "Open previews, the oldest first.",
    status: 200,
    response: z.object({ previews: z.array(Preview) }),
    errors: [],
    client: "previews.list() > previews",
  },
  closePreview: {
    method: "DELETE",
    path: "/v1/previews/:id",
    summary: "Ends a preview; the dev server goes on.",
    status: 200,
    response: z.object({ deleted: z.literal(true) }),
    errors: ["no_such_preview"],
    client: "previews.close(id)",
  },
} as const satisfies Record<string, Route>;
