import type { SessionService } from "../../session/api.ts";
import type { Handlers } from "../handler.ts";

export function handoffRoutes(service: SessionService): Pick<Handlers, "handOff"> {
  return {
    handOff: async ({ params, query, body }) => {
      if (query.dry === "1") return { json: await service.planHandoff(params.id, body), status: 200 };
      const { session, handoff } = await service.handOff(params.id, body);
      return { json: { ...session, handoff } };
    },
  };
}
