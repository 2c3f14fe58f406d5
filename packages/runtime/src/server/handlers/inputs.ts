import type { SessionService } from "../../session/api.ts";
import { actorOf } from "../access/actor-of.ts";
import type { Handlers } from "../handler.ts";

export function inputHandlers(
  service: SessionService,
): Pick<Handlers, "inbox" | "answerInput" | "listGrants" | "revokeGrant"> {
  return {
    inbox: () => ({ json: { inputs: service.inbox() } }),
    answerInput: ({ params, body, caller }) => ({ json: service.answer(params.id, body, actorOf(caller)) }),
    listGrants: () => ({ json: { grants: service.grants() } }),
    revokeGrant: ({ params }) => {
      service.revokeGrant(params.id);
      return { json: { revoked: true } };
    },
  };
}
