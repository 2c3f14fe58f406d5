import type { SessionService } from "../../session/api.ts";
import { actorOf } from "../access/actor-of.ts";
import type { Handlers } from "../handler.ts";

type SessionHandlers = Pick<
  Handlers,
  | "createSession"
  | "listSessions"
  | "getSession"
  | "patchSession"
  | "deleteSession"
  | "interrupt"
  | "changeQueue"
  | "closeSession"
  | "warmUpSession"
  | "listProcesses"
  | "getItem"
  | "listTasks"
  | "stopTask"
  | "requestContext"
  | "handOff"
  | "sendMessage"
  | "patchMessage"
  | "deleteMessage"
>;

export function sessionHandlers(service: SessionService): SessionHandlers {
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
    interrupt: ({ params, body }) => ({ json: service.interrupt(params.id, body.queue ?? "pause") }),
    changeQueue: ({ params, body }) => ({ json: service.changeQueue(params.id, body.state) }),
    closeSession: async ({ params }) => ({ json: await service.close(params.id) }),
    warmUpSession: ({ params }) => ({ json: service.warmUp(params.id) }),
    listProcesses: () => ({ json: service.processList() }),
    listTasks: ({ params }) => ({ json: { tasks: service.tasks(params.id) } }),
    requestContext: ({ params }) => ({ json: service.requestContext(params.id) }),
    stopTask: ({ params }) => ({ json: service.stopTask(params.id, params.task) }),
    getItem: ({ params }) => ({ json: service.item(params.id, params.item) }),
    handOff: async ({ params, query, body, caller }) => {
      if (query.dry === "1") return { json: await service.planHandoff(params.id, body), status: 200 };
      const { session, handoff } = await service.handOff(params.id, body, actorOf(caller));
      return { json: { ...session, handoff } };
    },
    sendMessage: ({ params, body }) => ({ json: service.send(params.id, body) }),
    patchMessage: ({ params, body }) => ({ json: service.editMessage(params.id, params.mid, body) }),
    deleteMessage: async ({ params }) => ({ json: await service.cancelMessage(params.id, params.mid) }),
  };
}
