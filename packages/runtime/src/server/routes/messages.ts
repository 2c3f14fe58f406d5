import type { SessionService } from "../../session/api.ts";
import type { Handlers } from "../handler.ts";

export function messageRoutes(
  service: SessionService,
): Pick<Handlers, "sendMessage" | "patchMessage" | "deleteMessage"> {
  return {
    sendMessage: ({ params, body }) => ({ json: service.send(params.id, body) }),
    patchMessage: ({ params, body }) => ({ json: service.editMessage(params.id, params.mid, body) }),
    deleteMessage: ({ params }) => ({ json: service.cancelMessage(params.id, params.mid) }),
  };
}
