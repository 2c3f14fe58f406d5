import { z } from "zod";
import { LimitRow } from "../limits.ts";
import type { Route } from "./routes.ts";
import { Session, UsageRow } from "./schemas.ts";

const KEYS = "agent|model|day|session|lane|turn";
const moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })], { error: "must be a date or an ISO time" });

/** Limits of providers and budgets, and what was used. */
export const limitRoutes = {
  listLimits: {
    method: "GET",
    path: "/v1/limits",
    summary: "Limits that hold now: of providers' accounts and of budgets, with the sessions that wait for them.",
    status: 200,
    response: z.object({ limits: z.array(LimitRow) }),
    errors: [],
  },
  resumeLimit: {
    method: "POST",
    path: "/v1/limits/:id/resume",
    summary: "Tries a limit now: the session that has waited longest goes first, the others follow when it succeeds.",
    bodyOptional: true,
    status: 200,
    response: z.object({ limits: z.array(LimitRow), tried: z.string().optional() }),
    errors: ["no_such_limit", "conflict"],
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
  },
  resumeSession: {
    method: "POST",
    path: "/v1/sessions/:id/resume",
    summary: "Lets a session that waits for a limit go on now; harmless when it does not.",
    bodyOptional: true,
    status: 200,
    response: Session,
    errors: ["no_such_session", "conflict"],
  },
  usage: {
    method: "GET",
    path: "/v1/usage",
    summary: "Tokens and cost, grouped. `since` (included) and `until` (not) are days of the daemon's place, or times.",
    query: z.strictObject({
      by: z
        .string()
        .regex(new RegExp(`^(${KEYS})(,(${KEYS}))*$`), "is a list of agent, model, day, session, lane, turn")
        .optional(),
      since: moment.optional(),
      until: moment.optional(),
      session: z.string().max(200).optional(),
      lane: z.string().max(200).optional(),
    }),
    status: 200,
    response: z.object({ rows: z.array(UsageRow), total: UsageRow }),
    errors: ["invalid"],
  },
} as const satisfies Record<string, Route>;
