import { type AgentRight, calls, GantryError, type RouteName } from "@gantry/protocol";
import type { SpawnService } from "../spawns/port.ts";
import type { Call, Handlers, Reply } from "./handler.ts";

type Checked = Pick<
  Handlers,
  "createSession" | "listSessions" | "allEvents" | "patchSession" | "sendMessage" | "createLane"
>;
type AnyHandler = (call: Call<never>) => Reply<unknown> | Promise<Reply<unknown>>;

/** The right of a row of the call table. Throws `not_permitted` for a row that grants none. */
export function requireRight(name: string, row: { method: string; agent?: AgentRight }): AgentRight {
  if (row.agent) return row.agent;
  throw new GantryError("not_permitted", `The token of a session does not permit this call (${name}).`, {
    remedy: "Ask a person to do it.",
  });
}

/** The handler of a call that comes with a session's own token. Throws `not_permitted`. */
export function agentHandlers(
  spawns: SpawnService,
  handlers: Handlers,
): (name: RouteName, caller: string, params: Record<string, string>) => AnyHandler {
  return (name, caller, params) => {
    const right = requireRight(name, calls[name]);
    if (right === "checked") return checkedHandlers(spawns, handlers, caller)[name as keyof Checked] as AnyHandler;
    if (right === "lane") spawns.requireLane(caller, params.id ?? "");
    else if (right !== "any") spawns.requireBelow(caller, params.id ?? "", right === "family");
    return handlers[name] as AnyHandler;
  };
}

function checkedHandlers(spawns: SpawnService, handlers: Handlers, caller: string): Checked {
  return {
    createSession: async ({ body }) => {
      const { session, created } = await spawns.create(caller, body);
      return { json: session, status: created ? 201 : 200 };
    },
    listSessions: ({ query }) => ({ json: { sessions: spawns.list(caller, query) } }),
    allEvents: (call) => {
      const family = spawns.family(caller);
      const wanted = call.query.sessions?.split(",") ?? family;
      for (const id of wanted) spawns.requireBelow(caller, id, true);
      return handlers.allEvents({ ...call, query: { ...call.query, sessions: wanted.join(",") } });
    },
    patchSession: async ({ params, body }) => ({ json: await spawns.change(caller, params.id, body) }),
    createLane: async ({ body }) => {
      const { lane, created } = await spawns.createLane(caller, body);
      return { json: lane, status: created ? 201 : 200 };
    },
    sendMessage: ({ params, body }) => ({ json: spawns.send(caller, params.id, body) }),
  };
}
