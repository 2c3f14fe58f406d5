import type {
  Applied,
  CreateSession,
  Grant,
  Handoff,
  HandoffBody,
  HandoffPlan,
  InputAnswer,
  InputRequest,
  Interrupted,
  Item,
  LiveFrame,
  OpenItem,
  PatchMessage,
  PatchSession,
  RouteQuery,
  SendMessage,
  Sent,
  Session,
  SessionView,
  Spawn,
} from "@gantry/protocol";
import type { RecordChange, StoredEvent } from "../log/port.ts";

/**
 * On whose behalf a message is sent. `notice` is told before it, and `records` become durable with it or not at all.
 */
export type Sender = {
  author: string;
  notice?: { kind: string; text: string };
  records?: (sent: Sent) => RecordChange[];
};

/** Who begins a session that is not begun by a person, and the record of it. */
export type Spawning = { parent: string; spawn: Spawn; record: (id: string) => RecordChange };

/**
 * What the daemon can do with sessions; the server is a thin skin over it. Every method validates what a schema
 * cannot, throws `GantryError` for what a client did wrong, and has put its facts on disk when it returns.
 */
export interface SessionService {
  /** `created` is false when the same id and body were given before. `spawning`: another session's agent begins it. */
  create(
    body: CreateSession,
    origin: string,
    more?: { identity?: string; spawning?: Spawning },
  ): Promise<{ session: Session; created: boolean }>;
  /** The newest first; without archived ones unless they are asked for. */
  list(query: ListQuery): { sessions: Session[]; nextCursor?: string };
  get(id: string): Session;
  patch(id: string, body: PatchSession): Promise<Applied>;
  delete(id: string): Promise<void>;
  /** Without a sender, the user's. */
  send(id: string, body: SendMessage, sender?: Sender): Sent;
  editMessage(id: string, message: string, body: PatchMessage): Session;
  cancelMessage(id: string, message: string): Session;
  interrupt(id: string, queue: "keep" | "clear"): Interrupted;
  close(id: string): Promise<{ released: boolean }>;
  /** What a handoff would be; changes nothing. */
  planHandoff(id: string, body: HandoffBody): Promise<HandoffPlan>;
  handOff(id: string, body: HandoffBody): Promise<{ session: Session; handoff: Handoff }>;
  item(id: string, item: string): Item;
  inbox(): InputRequest[];
  answer(input: string, answer: InputAnswer): { id: string; session: string; decision: string };
  grants(): Grant[];
  revokeGrant(id: string): void;
  /** Items that are open right now with what they hold so far. */
  open(id: string): OpenItem[];
  /** Processes of agents that are alive. */
  running(): number;
}

/**
 * Who keeps the files of a turn as they are before and after it. The runner tells it of every begin and end, once the
 * event is on disk and before the agent hears of it. None of these throws or rejects.
 */
export interface TurnSnapshots {
  /** A turn begins. The agent gets its prompt when this resolves, which it does in any case; `undefined`: at once. */
  begin(view: SessionView): Promise<void> | undefined;
  end(view: SessionView, turn: string): void;
  /** The session is gone; what was kept for it goes too. */
  forget(session: string): Promise<void>;
}

export type ListQuery = RouteQuery<"listSessions">;

/** Where the runner tells of news. Append to the log first, then call this. */
export interface Publisher {
  committed(session: string, rows: StoredEvent[]): void;
  live(frame: LiveFrame): void;
  /** The session and its log are gone. */
  removed(session: string): void;
}
