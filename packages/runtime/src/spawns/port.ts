import type {
  Applied,
  CreateLane,
  CreateSession,
  HandoffBody,
  InputAnswer,
  InputRequest,
  LandLane,
  Lane,
  LaneList,
  PatchSession,
  SendMessage,
  Sent,
  Session,
} from "@gantry/protocol";
import type { LaneService } from "../lanes/port.ts";
import type { ListQuery } from "../session/api.ts";

type LaneQuery = Parameters<LaneService["list"]>[0];

/**
 * The operations on sessions that a session's agent may use. `caller` is the session of the request's token. Methods
 * throw `not_permitted` for anything outside the caller's rights, and the errors that a person's call would throw. A
 * failed call changes nothing.
 */
export interface SpawnService {
  /** The session of a token, or `undefined` for an unknown or revoked one. */
  sessionOf(token: string): string | undefined;
  /** Throws unless `id` is a descendant of the caller or, with `orSelf`, the caller. */
  requireBelow(caller: string, id: string, orSelf: boolean): void;
  create(caller: string, body: CreateSession): Promise<{ session: Session; created: boolean }>;
  list(caller: string, query: ListQuery): Session[];
  /** The caller and its descendants. */
  family(caller: string): string[];
  send(caller: string, id: string, body: SendMessage): Sent;
  change(caller: string, id: string, body: PatchSession): Promise<Applied>;
  /** Creates a lane in the caller's repository for sessions that it spawns. */
  createLane(caller: string, body: CreateLane): Promise<{ lane: Lane; created: boolean }>;
  /** The lanes of the caller's family. */
  listLanes(caller: string, query: LaneQuery): Promise<LaneList>;
  /** The ids of lanes of the caller's family, named by id or name. Throws for any other. */
  resolveLanes(caller: string, names: readonly string[], cwd?: string): Promise<string[]>;
  hasLane(caller: string, lane: string): boolean;
  /** Throws unless the lane belongs to the caller or a descendant. */
  requireLane(caller: string, lane: string): void;
  /** The pending inputs of the sessions below a lead. Throws unless the caller is one. */
  inbox(caller: string): InputRequest[];
  /** These throw unless the caller is the lead of the session or lane and may do this. */
  requireAnswer(caller: string, input: string, body: InputAnswer): void;
  requireHandoff(caller: string, id: string, body: HandoffBody): void;
  requireLanding(caller: string, lane: string, body: LandLane): Promise<void>;
  /** Suppresses the report of a turn. `false`: the parent would not have been notified. */
  markRead(id: string, turn: string): boolean;
}
