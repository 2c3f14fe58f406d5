import type {
  ConflictMatrix,
  Landing,
  LandLane,
  LaneConflicts,
  LaneUpdated,
  SendMessage,
  Session,
  UpdateLane,
} from "@gantry/protocol";

/** Merges the work of lanes. Every method throws `GantryError`; a refusal has changed nothing. */
export interface LandingService {
  /** Resolves when the lane has landed. Idempotent by id. `by`: the lead that lands it; absent for a person. */
  land(lane: string, body: LandLane, by?: string): Promise<Landing>;
  update(lane: string, body: UpdateLane): Promise<LaneUpdated>;
  conflicts(lane: string): Promise<LaneConflicts>;
  /** For one repository, or for each that has lanes. */
  matrices(repository?: string): Promise<ConflictMatrix[]>;
  /** Newest first. */
  list(lane?: string): Landing[];
  get(id: string): Landing;
  undo(id: string): Promise<Landing>;
}

/** The sessions as landing uses them. */
export interface LandingSessions {
  /** Throws `no_such_session`. */
  get(id: string): Session;
  /** Adds a notice to a session's log, once per key. */
  notice(id: string, notice: { kind: string; severity: "info" | "warning"; text: string }, key: string): void;
  send(id: string, body: SendMessage): unknown;
}
