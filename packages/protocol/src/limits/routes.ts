import { z } from "zod";
import type { Route } from "../routing/route.ts";
import { LimitRow } from "./schema.ts";

/** Limits of providers and budgets. */
export const limitRoutes = {
  listLimits: {
    method: "GET",
    path: "/v1/limits",
    summary: "Limits that hold now: of providers' accounts and of budgets, with the sessions that wait for them.",
    status: 200,
    response: z.object({ limits: z.array(LimitRow) }),
    errors: [],
    client: "limits.list() > limits",
  },
  resumeLimit: {
    method: "POST",
    path: "/v1/limits/:id/resume",
    summary: "Tries a limit now: the session that has waited longest goes first, the others follow when it succeeds.",
    bodyOptional: true,
    status: 200,
    response: z.object({ limits: z.array(LimitRow), tried: z.string().optional() }),
    errors: ["no_such_limit", "conflict"],
    client: "limits.resume(id)",
  },
  patchLimit: {
    method: "PATCH",
    path: "/v1/limits/:id",
    summary:
      "Whether the sessions that wait for a limit go on by themselves; those that said so themselves stay as they are.",
    body: z.strictObject({ autoResume: z.boolean() }),
    status: 200,
    response: LimitRow,
    errors: ["no_such_limit", "conflict"],
    client: "limits.patch(id, body)",
  },
} as const satisfies Record<string, Route>;
