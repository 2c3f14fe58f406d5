import type { BrokenIdentity, Identity, IdentityRow, PutIdentity, SendMessage, Sent, Session } from "@gantry/protocol";
import type { Handlers } from "../server/handler.ts";
import type { SessionService } from "../session/api.ts";

/** Identities as the server knows them. Changes are on disk when a call returns; they throw `GantryError`. */
export interface IdentityService {
  list(): { identities: IdentityRow[]; broken: BrokenIdentity[] };
  /** Throws `no_such_identity`, or `invalid` for a file with mistakes. */
  get(name: string): Identity;
  /** Throws `no_such_agent` or `invalid`; then nothing has changed. */
  put(name: string, body: PutIdentity): Identity;
  /** Throws `no_such_identity`, or `turn_running` while its session works; then nothing has changed. */
  delete(name: string, purge: boolean): Promise<{ archived?: string; kept?: string }>; // prose-ignore: fixed API field
  /** Finds the identity's session or begins it, and sends. */
  send(name: string, body: SendMessage): Promise<Sent & { session: Session }>;
}

type IdentityHandlers = Pick<
  Handlers,
  "listIdentities" | "getIdentity" | "putIdentity" | "deleteIdentity" | "sendToIdentity"
>;

export function identityHandlers(
  identities: IdentityService,
  sessions: Pick<SessionService, "requireChoices">,
): IdentityHandlers {
  return {
    listIdentities: () => ({ json: identities.list() }),
    getIdentity: ({ params }) => ({ json: identities.get(params.name) }),
    putIdentity: async ({ params, body }) => {
      await sessions.requireChoices(body.agent, body);
      return { json: identities.put(params.name, body) };
    },
    deleteIdentity: async ({ params, query }) => {
      const removed = await identities.delete(params.name, query.purge === "1");
      return { json: { deleted: true, ...removed } };
    },
    sendToIdentity: async ({ params, body }) => ({ json: await identities.send(params.name, body) }),
  };
}
