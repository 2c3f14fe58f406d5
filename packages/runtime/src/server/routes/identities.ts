import type { IdentityService } from "../../identities/port.ts";
import type { Handlers } from "../handler.ts";

type IdentityRoutes = Pick<
  Handlers,
  "listIdentities" | "getIdentity" | "putIdentity" | "deleteIdentity" | "sendToIdentity"
>;

export function identityRoutes(identities: IdentityService): IdentityRoutes {
  return {
    listIdentities: () => ({ json: identities.list() }),
    getIdentity: ({ params }) => ({ json: identities.get(params.name) }),
    putIdentity: ({ params, body }) => ({ json: identities.put(params.name, body) }),
    deleteIdentity: async ({ params, query }) => {
      const removed = await identities.delete(params.name, query.purge === "1");
      return { json: { deleted: true, ...removed } };
    },
    sendToIdentity: async ({ params, body }) => ({ json: await identities.send(params.name, body) }),
  };
}
