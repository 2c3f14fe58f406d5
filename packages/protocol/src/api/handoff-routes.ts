import { z } from "zod";
import { Handoff, HandoffBody, HandoffPlan } from "../handoff.ts";
import type { Route } from "./routes.ts";
import { Session } from "./schemas.ts";

/** Handing a session to another agent. */
export const handoffRoutes = {
  handOff: {
    method: "POST",
    path: "/v1/sessions/:id/handoff",
    summary:
      "Hands the session to another agent, which goes on at once with a brief. With `dry=1`, 200: the brief to be edited; nothing is changed.",
    query: z.strictObject({ dry: z.enum(["0", "1"]).optional() }),
    body: HandoffBody,
    status: 202,
    response: z.union([Session.extend({ handoff: Handoff }), HandoffPlan]),
    errors: [
      "no_such_session",
      "session_ended",
      "no_such_agent",
      "agent_unavailable",
      "turn_running",
      "input_pending",
      "handoff_pending",
      "unsupported",
      "invalid",
    ],
  },
} as const satisfies Record<string, Route>;
