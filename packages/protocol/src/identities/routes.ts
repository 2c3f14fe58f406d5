import { z } from "zod";
import { SendMessage, Sent } from "../messages/schema.ts";
import type { Route } from "../routing/route.ts";
import { Session } from "../sessions/schema.ts";
import { BrokenIdentity, Identity, IdentityRow, PutIdentity } from "./schema.ts";

/** Identities: named, persistent sessions with a persona and a memory in plain files. */
export const identityRoutes = {
  listIdentities: {
    method: "GET",
    path: "/v1/identities",
    summary: "Lists all identities, and the problems of invalid ones.",
    status: 200,
    response: z.object({ identities: z.array(IdentityRow), broken: z.array(BrokenIdentity) }),
    errors: [],
    client: "identities.list()",
  },
  getIdentity: {
    method: "GET",
    path: "/v1/identities/:name",
    summary: "Returns one identity with its persona and memory.",
    status: 200,
    response: Identity,
    errors: ["no_such_identity", "invalid"],
    client: "identities.get(name)",
  },
  putIdentity: {
    method: "PUT",
    path: "/v1/identities/:name",
    summary: "Creates or changes an identity. Its session applies the change with its next message.",
    body: PutIdentity,
    status: 200,
    response: Identity,
    errors: ["invalid", "no_such_agent"],
    client: "identities.put(name, body)",
  },
  deleteIdentity: {
    method: "DELETE",
    path: "/v1/identities/:name",
    summary: "Deletes an identity and archives its session. Persona and memory stay on disk unless `purge=1`.",
    query: z.strictObject({ purge: z.enum(["0", "1"]).optional() }),
    status: 200,
    response: z.object({ deleted: z.literal(true), archived: z.string().optional(), kept: z.string().optional() }), // prose-ignore: a fixed JSON field
    errors: ["no_such_identity", "turn_running"],
    client: "identities.delete(name, purge=false)",
  },
  sendToIdentity: {
    method: "POST",
    path: "/v1/identities/:name/messages",
    summary: "Sends a message to the session of an identity; the first message creates it.",
    body: SendMessage,
    status: 202,
    response: Sent.extend({ session: Session }),
    errors: [
      "no_such_identity",
      "invalid",
      "no_such_agent",
      "agent_unavailable",
      "conflict",
      "queue_full",
      "unsupported",
      "outside_folder",
    ],
    client: "identities.send(name, body)",
  },
} as const satisfies Record<string, Route>;
