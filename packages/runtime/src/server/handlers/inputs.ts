import type { SessionService } from "../../session/api.ts";
import type { Handlers } from "../handler.ts";

export function inputHandlers(
  service: SessionService,
): Pick<Handlers, "inbox" | "answerInput" | "listGrants" | "revokeGrant"> {
  return {
    inbox: () => ({ json: { inputs: service.inbox() } }),
    answerInput: ({ params, body }) => ({ json: service.answer(params.id, body) }),
    listGrants: () => ({ json: { grants: service.grants() } }),
    revokeGrant: ({ params }) => {
      service.revokeGrant(params.id);
      return { json: { revoked: true } };
    },
  };
}
