import { z } from "zod";
import type { Route } from "../routing/route.ts";
import { LimitRow } from "./schema.ts";

/** Limits of providers and budgets. */
export const limitRoutes = {
  listLimits: {
    method: "GET",
    path: "/v1/limits",
    summary: "Lists active limits of provider accounts and budgets, with the sessions that they hold.",
    status: 200,
    response: z.object({ limits: z.array(LimitRow) }),
    errors: [],
    client: "limits.list() > limits",
  },
  resumeLimit: {
    method: "POST",
    path: "/v1/limits/:id/resume",
    summary: "Retries a limit now: the session that has waited longest goes first, the others follow when it succeeds.",
    bodyOptional: true,
    status: 200,
    response: z.object({ limits: z.array(LimitRow), tried: z.string().optional() }),
    errors: ["no_such_limit", "conflict"],
    client: "limits.resume(id)",
  },
  patchLimit: {
    method: "PATCH",
    path: "/v1/limits/:id",
    summary: "Sets whether the sessions held by a limit resume automatically; sessions with their own setting keep it.",
    body: z.strictObject({ autoResume: z.boolean() }),
    status: 200,
    response: LimitRow,
    errors: ["no_such_limit", "conflict"],
    client: "limits.patch(id, body)",
  },
} as const satisfies Record<string, Route>;
