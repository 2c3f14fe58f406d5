import { z } from "zod";
import type { Route } from "../routing/route.ts";
import { GrantList, Inbox, InputAnswer } from "./schema.ts";

/** Requests that wait for a person, and the grants that answers leave behind. */
export const inputRoutes = {
  inbox: {
    method: "GET",
    path: "/v1/inbox",
    summary: "Lists all pending inputs of all sessions. A lead gets those of the sessions below it.",
    status: 200,
    response: Inbox,
    errors: ["not_permitted"],
    agent: "checked",
    client: "inbox() > inputs",
  },
  answerInput: {
    method: "POST",
    path: "/v1/inputs/:id",
    summary: "Answers a pending input. The first answer wins; a later one gets 409 with the first.",
    body: InputAnswer,
    status: 200,
    response: z.object({ id: z.string(), session: z.string(), decision: z.string() }),
    errors: ["no_such_input", "already_answered", "invalid", "not_permitted"],
    agent: "checked",
    client: "answer(id, body)",
  },
  listGrants: {
    method: "GET",
    path: "/v1/grants",
    summary: "Lists the grants of all sessions.",
    status: 200,
    response: GrantList,
    errors: [],
    client: "grants() > grants",
  },
  revokeGrant: {
    method: "DELETE",
    path: "/v1/grants/:id",
    summary: "Revokes a grant.",
    status: 200,
    response: z.object({ revoked: z.literal(true) }),
    errors: ["no_such_grant"],
    client: "revokeGrant(id)",
  },
} as const satisfies Record<string, Route>;
