import type { ForkSession, RevertTurn, RouteName, RouteQuery, RouteResult, UndoRevert } from "@gantry/protocol";
import { type CallInput, call } from "./call.ts";
import type { Transport } from "./transport.ts";

/** Calls about turns and their files. They throw `GantryError`. */
export function turnCalls(transport: Transport) {
  const make = <K extends RouteName>(name: K, input: CallInput<K>): Promise<RouteResult<K>> =>
    call(transport, name, input);
  return {
    list: async (id: string) => (await make("listTurns", { params: { id } })).turns,
    /** What a turn changed; of a running one, so far. */
    diff: (id: string, turn: string, query: RouteQuery<"turnDiff"> = {}) =>
      make("turnDiff", { params: { id, turn }, query }),
    /** Puts its files back; with `dry`, says what that would do. */
    revert: (id: string, turn: string, body: RevertTurn = {}) => make("revertTurn", { params: { id, turn }, body }),
    undo: (id: string, revert: string, body: UndoRevert = {}) => make("undoRevert", { params: { id, revert }, body }),
    fork: (id: string, body: ForkSession = {}) => make("forkSession", { params: { id }, body }),
  };
}
