import type { LimitService } from "../../limits/port.ts";
import type { SessionService } from "../../session/api.ts";
import type { Handlers } from "../handler.ts";

type LimitHandlers = Pick<Handlers, "listLimits" | "resumeLimit" | "patchLimit" | "resumeSession">;

export function limitHandlers(limits: LimitService, sessions: SessionService): LimitHandlers {
  return {
    listLimits: () => ({ json: { limits: limits.list() } }),
    resumeLimit: ({ params }) => ({ json: limits.resume(params.id) }),
    patchLimit: ({ params, body }) => ({ json: limits.patch(params.id, body) }),
    resumeSession: ({ params }) => {
      sessions.get(params.id);
      limits.resumeSession(params.id);
      return { json: sessions.get(params.id) };
    },
  };
}
