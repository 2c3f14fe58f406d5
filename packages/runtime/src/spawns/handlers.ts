import type { AgentAccess } from "../server/access/agent-access.ts";
import type { Handlers } from "../server/handler.ts";
import type { SpawnService } from "./port.ts";

export function spawnHandlers(spawns: SpawnService): Pick<Handlers, "hearSession"> {
  return {
    hearSession: ({ params, body }) => ({ json: { heard: spawns.markRead(params.id, body.turn) } }), // prose-ignore: fixed API names
  };
}

/** Limits a session's own token to the session, its descendants and their lanes. */
export function agentAccess(spawns: SpawnService): AgentAccess {
  return {
    sessionOf: (token) => spawns.sessionOf(token),
    requireBelow: (caller, id, orSelf) => spawns.requireBelow(caller, id, orSelf),
    requireLane: (caller, lane) => spawns.requireLane(caller, lane),
    checkedHandlers: (caller, handlers) => checkedHandlers(spawns, handlers, caller),
  };
}

type Checked = Pick<
  Handlers,
  | "createSession"
  | "listSessions"
  | "allEvents"
  | "patchSession"
  | "sendMessage"
  | "createLane"
  | "listLanes"
  | "compareLanes"
  | "laneConflicts"
  | "inbox"
  | "answerInput"
  | "handOff"
  | "landLane"
>;
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
    listLanes: async ({ query: { archived, refresh, ...where } }) => ({
      json: await spawns.listLanes(caller, {
        ...where,
        archived: archived === "all" ? "any" : archived === "1",
        refresh: refresh === "1",
      }),
    }),
    compareLanes: async (call) => {
      const { lanes, ...query } = call.query;
      const ids = await spawns.resolveLanes(caller, lanes.split(",").filter(Boolean), query.cwd);
      return handlers.compareLanes({ ...call, query: { ...query, lanes: ids.join(",") } });
    },
    laneConflicts: async (call) => {
      spawns.requireLane(caller, call.params.id);
      const reply = await handlers.laneConflicts(call);
      if (reply === "streamed" || !("json" in reply)) return reply;
      const { lane, conflicts } = reply.json;
      const own = conflicts.filter(({ with: other }) => other === "base" || spawns.hasLane(caller, other));
      return { json: { lane, conflicts: own } };
    },
    inbox: () => ({ json: { inputs: spawns.inbox(caller) } }),
    answerInput: (call) => {
      spawns.requireAnswer(caller, call.params.id, call.body);
      return handlers.answerInput(call);
    },
    handOff: (call) => {
      spawns.requireHandoff(caller, call.params.id, call.body);
      return handlers.handOff(call);
    },
    landLane: async (call) => {
      await spawns.requireLanding(caller, call.params.id, call.body);
      return handlers.landLane(call);
    },
    sendMessage: ({ params, body }) => ({ json: spawns.send(caller, params.id, body) }),
  };
}
