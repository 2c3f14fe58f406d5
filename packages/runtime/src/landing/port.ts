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

/** How the work of lanes comes together. Every method throws `GantryError`; a refusal has changed nothing. */
export interface LandingService {
  /** Resolves when it has landed. The same id again is the same landing. */
  land(lane: string, body: LandLane): Promise<Landing>;
  update(lane: string, body: UpdateLane): Promise<LaneUpdated>;
  conflicts(lane: string): Promise<LaneConflicts>;
  /** Of one repository, or of each that has lanes. */
  matrices(repository?: string): Promise<ConflictMatrix[]>;
  /** The newest first. */
  list(lane?: string): Landing[];
  get(id: string): Landing;
  undo(id: string): Promise<Landing>;
}

/** What landing asks of sessions. */
export interface LandingSessions {
  /** Throws `no_such_session`. */
  get(id: string): Session;
  /** Puts a notice into a session's log, once for each key. */
  notice(id: string, notice: { kind: string; severity: "info" | "warning"; text: string }, key: string): void;
  send(id: string, body: SendMessage): unknown;
}
