import { z } from "zod";
import { TurnId } from "../ids/schema.ts";
import type { Route } from "../routing/route.ts";

/** For an agent whose session has spawned others. */
export const spawnRoutes = {
  hearSession: {
    method: "POST",
    path: "/v1/sessions/:id/heard", // prose-ignore: a fixed route
    summary: "Acknowledges the result of a turn on behalf of the parent session, which is then not notified.",
    body: z.strictObject({ turn: TurnId }),
    status: 200,
    response: z.object({ heard: z.boolean() }), // prose-ignore: a fixed JSON field
    errors: ["no_such_session", "not_permitted"],
    agent: "below",
    client: "sessions.heard(id, turn)", // prose-ignore: a fixed method name
  },
} as const satisfies Record<string, Route>;
