import type { RouteBodyInput, RouteName, RouteResult } from "@gantry/protocol";
import { type CallInput, call } from "./call.ts";
import type { Transport } from "./transport.ts";

/** Calls about messages that are sent later. They throw `GantryError`. */
export function scheduleCalls(transport: Transport) {
  const make = <K extends RouteName>(name: K, input: CallInput<K>): Promise<RouteResult<K>> =>
    call(transport, name, input);
  return {
    /** All of them, or those that send to one session. */
    list: async (session?: string) => (await make("listSchedules", { query: { session } })).schedules,
    get: (id: string) => make("getSchedule", { params: { id } }),
    add: (body: RouteBodyInput<"createSchedule">) => make("createSchedule", { body }),
    change: (id: string, body: RouteBodyInput<"patchSchedule">) => make("patchSchedule", { params: { id }, body }),
    delete: (id: string) => make("deleteSchedule", { params: { id } }),
    /** Now, whatever its time is. */
    run: (id: string) => make("runSchedule", { params: { id } }),
  };
}
