import type {
  Applied,
  CreateLane,
  CreateSession,
  Lane,
  PatchSession,
  SendMessage,
  Sent,
  Session,
} from "@gantry/protocol";
import type { ListQuery } from "../session/api.ts";

/**
 * What a session's own agent may do with sessions. `caller` is the session whose token came with the request. Methods
 * throw `not_permitted` for what is not its to do, and what the same call of a person would throw; then nothing has
 * changed.
 */
export interface SpawnService {
  /** The session whose token this is. `undefined`: nobody's, or one that is void. */
  sessionOf(token: string): string | undefined;
  /** Throws unless `id` is below the caller, or, with `orSelf`, the caller itself. */
  requireBelow(caller: string, id: string, orSelf: boolean): void;
  create(caller: string, body: CreateSession): Promise<{ session: Session; created: boolean }>;
  list(caller: string, query: ListQuery): Session[];
  /** The caller and all below it. */
  family(caller: string): string[];
  send(caller: string, id: string, body: SendMessage): Sent;
  change(caller: string, id: string, body: PatchSession): Promise<Applied>;
  /** A lane of the caller's repository, for sessions that it begins. */
  createLane(caller: string, body: CreateLane): Promise<{ lane: Lane; created: boolean }>;
  /** Throws unless it is a lane of the caller or of one below it. */
  requireLane(caller: string, lane: string): void;
  /** `false`: nobody would have been told. */
  heard(id: string, turn: string): boolean;
}
