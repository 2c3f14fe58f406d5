import type { SessionService } from "../../session/api.ts";
import type { Handlers } from "../handler.ts";

type SessionRoutes = Pick<
  Handlers,
  | "createSession"
  | "listSessions"
  | "getSession"
  | "patchSession"
  | "deleteSession"
  | "interrupt"
  | "closeSession"
  | "getItem"
>;

export function sessionRoutes(service: SessionService): SessionRoutes {
  return {
    createSession: async ({ body, caller }) => {
      const { session, created } = await service.create(body, caller?.kind === "page" ? "page" : "api");
      return { json: session, status: created ? 201 : 200 };
    },
    listSessions: ({ query }) => ({ json: service.list(query) }),
    getSession: ({ params }) => ({ json: service.get(params.id) }),
    patchSession: async ({ params, body }) => ({ json: await service.patch(params.id, body) }),
    deleteSession: async ({ params }) => {
      await service.delete(params.id);
      return { json: { deleted: true } };
    },
    interrupt: ({ params, body }) => ({ json: service.interrupt(params.id, body.queue ?? "keep") }),
    closeSession: async ({ params }) => ({ json: await service.close(params.id) }),
    getItem: ({ params }) => ({ json: service.item(params.id, params.item) }),
  };
}
