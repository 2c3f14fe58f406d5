import { z } from "zod";
import { decimal } from "../routing/decimal.ts";
import type { Route } from "../routing/route.ts";
import { EnvelopeSchema } from "./envelope-schema.ts";

const seq = decimal(0);

/** The event log, as pages or as a stream. */
export const eventRoutes = {
  sessionEvents: {
    method: "GET",
    path: "/v1/sessions/:id/events",
    summary: "Returns events after a position in the log; as a stream, replays them and then follows.",
    query: z.strictObject({
      after: seq.optional(),
      limit: decimal(1, 10_000).optional(),
      tail: decimal(1, 10_000).optional(),
    }),
    status: 200,
    /** `cursor`: the end of the log of all sessions when the page was read. A stream of all sessions can start there. */
    response: z.object({ events: z.array(EnvelopeSchema), lastSeq: z.number().int(), cursor: z.string() }),
    errors: ["no_such_session", "invalid"],
    stream: true,
    agent: "family",
  },
  allEvents: {
    method: "GET",
    path: "/v1/events",
    summary: "Returns events of all sessions, or of the named ones; `id` is a cursor that resumes across sessions.",
    query: z.strictObject({
      sessions: z.string().max(10_000).optional(),
      after: seq.optional(),
      limit: decimal(1, 10_000).optional(),
    }),
    status: 200,
    response: z.object({ events: z.array(EnvelopeSchema), cursor: z.string() }),
    errors: ["invalid"],
    stream: true,
    agent: "checked",
  },
} as const satisfies Record<string, Route>;
