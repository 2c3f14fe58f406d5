import type {
  ForkSession,
  Reverted,
  RevertTurn,
  RouteQuery,
  Session,
  TurnDiff,
  TurnList,
  UndoRevert,
} from "@gantry/protocol";

/** The turns of sessions and their files. Methods throw `GantryError` for refused requests and change nothing then. */
export interface CheckpointService {
  turns(session: string): Promise<TurnList>;
  /** Throws `no_such_turn`, and `no_checkpoint` if the turn has none or it has expired. */
  diff(session: string, turn: string, query: RouteQuery<"turnDiff">): Promise<TurnDiff>;
  /** Also throws `turn_running` for a turn in the same folder, and `conflict` with the files that changed since. */
  revert(session: string, turn: string, body: RevertTurn): Promise<Reverted>;
  /** Also throws `no_such_revert`. */
  undo(session: string, revert: string, body: UndoRevert): Promise<Reverted>;
  /** Idempotent by `id`. Throws `no_checkpoint` and errors of lanes. */
  fork(session: string, body: ForkSession): Promise<Session>;
}
