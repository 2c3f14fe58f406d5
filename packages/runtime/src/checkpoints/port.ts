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

/** The turns of sessions and their files. Every method throws `GantryError` for what cannot be done, with nothing changed. */
export interface CheckpointService {
  turns(session: string): Promise<TurnList>;
  /** Throws `no_such_turn`, and `no_checkpoint` where the turn has none, or none any more. */
  diff(session: string, turn: string, query: RouteQuery<"turnDiff">): Promise<TurnDiff>;
  /** Throws also `turn_running` for a turn in the same folder, and `conflict` with the files that were changed since. */
  revert(session: string, turn: string, body: RevertTurn): Promise<Reverted>;
  /** Throws also `no_such_revert`. */
  undo(session: string, revert: string, body: UndoRevert): Promise<Reverted>;
  /** The same `id` again is the same session. Throws what `no_checkpoint` and lanes have against it. */
  fork(session: string, body: ForkSession): Promise<Session>;
}
