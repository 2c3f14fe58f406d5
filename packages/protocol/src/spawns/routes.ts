import { z } from "zod";
import { TurnId } from "../ids/schema.ts";
import type { Route } from "../routing/route.ts";

/** A message of the Model Context Protocol. The MCP library checks the rest. Batches, which only one version had, are refused. */
const JsonRpcMessage = z.looseObject({ jsonrpc: z.literal("2.0") });

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
  coordinate: {
    method: "POST",
    path: "/mcp",
    summary:
      "The MCP coordinator over streamable HTTP, without sessions of the transport: one JSON-RPC message, answered as JSON or as a stream. The tools have the rights of the credential. `lead=1` lists `answer_input` and `land_lane` for an owner.",
    query: z.strictObject({ lead: z.enum(["0", "1"]).optional() }),
    body: JsonRpcMessage,
    status: 200,
    response: z.unknown(),
    errors: ["invalid"],
    stream: true,
    agent: "any",
  },
} as const satisfies Record<string, Route>;
