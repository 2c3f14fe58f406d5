import type { CreateLaunch, LandLane, RouteName, RouteResult, RunCheck, UpdateLane } from "@gantry/protocol";
import { type CallInput, call } from "./call.ts";
import type { Transport } from "./transport.ts";

/** Calls about launches and what becomes of their lanes. They throw `GantryError`. */
export function launchCalls(transport: Transport) {
  const make = <K extends RouteName>(name: K, input: CallInput<K>): Promise<RouteResult<K>> =>
    call(transport, name, input);
  const patchOf = (patch: boolean) => (patch ? "1" : "0");
  return {
    launches: {
      create: (body: CreateLaunch) => make("createLaunch", { body }),
      list: async () => (await make("listLaunches", {})).launches,
      get: (id: string) => make("getLaunch", { params: { id } }),
      /** With `forget`, one that is over is no longer listed. */
      cancel: (id: string, forget = false) =>
        make("cancelLaunch", { params: { id }, query: { forget: forget ? "1" : "0" } }),
      compare: (id: string, patch = true) =>
        make("compareLaunch", { params: { id }, query: { patch: patchOf(patch) } }),
      /** Runs a command in each of its lanes. */
      check: async (id: string, body: RunCheck = {}) => (await make("checkLaunch", { params: { id }, body })).checks,
    },
    landings: {
      list: async (lane?: string) => (await make("listLandings", { query: { lane } })).landings,
      get: (id: string) => make("getLanding", { params: { id } }),
      undo: (id: string) => make("undoLanding", { params: { id } }),
      /** Resolves when the lane has landed. */
      land: (lane: string, body: Partial<LandLane> = {}) => make("landLane", { params: { id: lane }, body }),
      /** Brings a lane up to date with its base. */
      update: (lane: string, body: Partial<UpdateLane> = {}) => make("updateLane", { params: { id: lane }, body }),
      conflicts: (lane: string) => make("laneConflicts", { params: { id: lane } }),
      matrices: async (repository?: string) => (await make("conflicts", { query: { repository } })).repositories,
    },
    /** Any lanes side by side, by id or by name within the repository of `cwd`. */
    compare: (lanes: readonly string[], more: { cwd?: string; patch?: boolean } = {}) =>
      make("compareLanes", {
        query: { lanes: lanes.join(","), cwd: more.cwd, patch: patchOf(more.patch ?? true) },
      }),
  };
}
