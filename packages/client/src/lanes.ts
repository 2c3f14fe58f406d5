import type { RouteBodyInput, RouteName, RouteQuery, RouteResult } from "@gantry/protocol";
import { type CallInput, call } from "./call.ts";
import type { Transport } from "./transport.ts";

/** Calls about lanes. They throw `GantryError`. */
export function laneCalls(transport: Transport) {
  const make = <K extends RouteName>(name: K, input: CallInput<K>): Promise<RouteResult<K>> =>
    call(transport, name, input);
  return {
    /** Of the repository of a folder, or of all that are known, with the worktrees that can be adopted. */
    list: (query: RouteQuery<"listLanes"> = {}) => make("listLanes", { query }),
    get: (id: string) => make("getLane", { params: { id } }),
    /** That of a session; of a plain folder, what is missing there. */
    ofSession: (id: string) => make("sessionLane", { params: { id } }),
    /** Resolves when it can be worked in; its set-up may go on: see `setup`. */
    create: (body: RouteBodyInput<"createLane">) => make("createLane", { body }),
    patch: (id: string, body: RouteBodyInput<"patchLane">) => make("patchLane", { params: { id }, body }),
    /** With force also what holds work; it is kept under an undo ref. */
    remove: (id: string, force = false) => make("removeLane", { params: { id }, query: { force: force ? "1" : "0" } }),
    undos: async (cwd?: string) => (await make("laneUndos", { query: { cwd } })).undos,
    undo: (id: string, ref?: string) => make("undoLane", { params: { id }, body: { ref } }),
    diff: (id: string, query: RouteQuery<"laneDiff"> = {}) => make("laneDiff", { params: { id }, query }),
    setup: (id: string) => make("laneSetup", { params: { id } }),
    runSetup: (id: string) => make("runLaneSetup", { params: { id } }),
    suggestions: async (cwd?: string) => (await make("laneSuggestions", { query: { cwd } })).suggestions,
  };
}
