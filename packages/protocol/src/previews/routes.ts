import { z } from "zod";
import type { Route } from "../routing/route.ts";
import { CreatePreviewTicket, DevServer, OpenPreview, Preview, PreviewTicket } from "./schema.ts";

/** Dev servers on the daemon's machine, each under a separate origin. */
export const previewRoutes = {
  openPreview: {
    method: "POST",
    path: "/v1/previews",
    summary: "Opens a preview of a dev server on loopback, under a separate origin.",
    body: OpenPreview,
    status: 201,
    response: Preview,
    errors: ["invalid", "no_such_session", "too_many_previews", "unavailable"],
    client: "previews.open(body)",
  },
  listPreviews: {
    method: "GET",
    path: "/v1/previews",
    summary: "Lists open previews, oldest first.",
    status: 200,
    response: z.object({ previews: z.array(Preview) }),
    errors: [],
    client: "previews.list() > previews",
  },
  listDevServers: {
    method: "GET",
    path: "/v1/sessions/:id/servers",
    summary: "Lists servers on loopback that the session's processes run or whose address they printed.",
    status: 200,
    response: z.object({ servers: z.array(DevServer) }),
    errors: ["no_such_session"],
    client: "previews.servers(id) > servers",
  },
  createPreviewTicket: {
    method: "POST",
    path: "/v1/previews/:id/tickets",
    summary: "Creates a link that opens a preview once, within a minute, in a browser.",
    body: CreatePreviewTicket,
    bodyOptional: true,
    status: 201,
    response: PreviewTicket,
    errors: ["invalid", "no_such_preview"],
    client: "previews.ticket(id, body?)",
  },
  closePreview: {
    method: "DELETE",
    path: "/v1/previews/:id",
    summary: "Closes a preview; the dev server keeps running.",
    status: 200,
    response: z.object({ deleted: z.literal(true) }),
    errors: ["no_such_preview"],
    client: "previews.close(id)",
  },
} as const satisfies Record<string, Route>;
