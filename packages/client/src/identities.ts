import type { RouteBodyInput, RouteName, RouteResult, SendMessage } from "@gantry/protocol";
import { type CallInput, call } from "./call.ts";
import type { Transport } from "./transport.ts";

/** Calls about identities: named, persistent sessions with a persona and a memory. They throw `GantryError`. */
export function identityCalls(transport: Transport) {
  const make = <K extends RouteName>(name: K, input: CallInput<K>): Promise<RouteResult<K>> =>
    call(transport, name, input);
  return {
    list: () => make("listIdentities", {}),
    get: (name: string) => make("getIdentity", { params: { name } }),
    /** Makes it, or changes it; what is not named of persona and memory stays. */
    put: (name: string, body: RouteBodyInput<"putIdentity">) => make("putIdentity", { params: { name }, body }),
    /** Archives its session; persona and memory stay on disk unless `purge` is given. */
    delete: (name: string, purge = false) =>
      make("deleteIdentity", { params: { name }, query: purge ? { purge: "1" } : {} }),
    /** To its one session, which begins with the first message. */
    send: (name: string, body: SendMessage) => make("sendToIdentity", { params: { name }, body }),
  };
}
