import { z } from "zod";
import type { Route } from "../routing/route.ts";
import { UsageRow } from "./schema.ts";

const KEYS = "agent|model|day|session|lane|turn";

const moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })], { error: "must be a date or an ISO time" });

/** Tokens and cost. */
export const usageRoutes = {
  usage: {
    method: "GET",
    path: "/v1/usage",
    summary:
      "Returns tokens, cost and the median time to the first output, grouped. `since` (inclusive) and `until` (exclusive) are local days of the daemon, or times.",
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
