import { z } from "zod";
import { TurnId } from "../ids/schema.ts";
import type { Route } from "../routing/route.ts";

/** For an agent whose session has begun others. */
export const spawnRoutes = {
  hearSession: {
    method: "POST",
    path: "/v1/sessions/:id/heard",
    summary: "The session's parent knows how this turn ended, and is not woken for it.",
    body: z.strictObject({ turn: TurnId }),
    status: 200,
    response: z.object({ heard: z.boolean() }),
    errors: ["no_such_session", "not_permitted"],
    agent: "below",
    client: "sessions.heard(id, turn)",
  },
} as const satisfies Record<string, Route>;
