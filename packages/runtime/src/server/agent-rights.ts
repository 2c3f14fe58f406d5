import { GantryError, type RouteName } from "@gantry/protocol";
import type { SpawnService } from "../spawns/port.ts";
import type { Call, Handlers, Reply } from "./handler.ts";

/**
 * What a call needs that comes with a session's own token. `any`: nothing, it tells no secret. `family`: that it is about
 * the session itself or one below it. `below`: about one below it. `lane`: about a lane of one of these. `checked`: its own handler here decides.
 */
type Right = "any" | "family" | "below" | "lane" | "checked";

/** Every call that an agent may make. What is not here it may not: answering, settings, files and all else are people's. */
export const agentRights: Partial<Record<RouteName, Right>> = {
  health: "any",
  listAgents: "any",
  getAgent: "any",
  createSession: "checked",
  listSessions: "checked",
  getSession: "family",
  sessionEvents: "family",
  allEvents: "checked",
  getItem: "family",
  listTurns: "family",
  turnDiff: "family",
  sessionLane: "family",
  createLane: "checked",
  getLane: "lane",
  laneDiff: "lane",
  laneSetup: "lane",
  patchSession: "checked",
  sendMessage: "checked",
  patchMessage: "below",
  deleteMessage: "below",
  interrupt: "below",
  closeSession: "below",
  hearSession: "below",
};

type Checked = Pick<
  Handlers,
  "createSession" | "listSessions" | "allEvents" | "patchSession" | "sendMessage" | "createLane"
>;
type AnyHandler = (call: Call<never>) => Reply<unknown> | Promise<Reply<unknown>>;

/** The handler of a call for a session's agent. Throws `not_permitted` for what is not its to do. */
export function agentHandlers(
  spawns: SpawnService,
  handlers: Handlers,
): (name: RouteName, caller: string, params: Record<string, string>) => AnyHandler {
  return (name, caller, params) => {
    const right = agentRights[name];
    if (!right) {
      throw new GantryError("not_permitted", `An agent may not do this with the token of its session (${name}).`, {
        remedy: "Ask a person to do it.",
      });
    }
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
