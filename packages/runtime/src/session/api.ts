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
  ProcessList,
  QueueOnStop,
  QueueState,
  RouteQuery,
  SendMessage,
  Sent,
  Session,
  SessionView,
  Spawn,
  Task,
} from "@gantry/protocol";
import type { RecordChange, StoredEvent } from "../log/port.ts";

/**
 * The sender of a message. `notice` is recorded before it; `records` are committed with it.
 */
export type Sender = {
  author: string;
  notice?: { kind: string; text: string };
  records?: (sent: Sent) => RecordChange[];
};

/** A session that another session's agent starts, and the record of it. */
export type Spawning = { parent: string; spawn: Spawn; record: (id: string) => RecordChange };

/**
 * The session API of the daemon. Methods check what a schema cannot, throw `GantryError` for a wrong request, and return
 * after the commit.
 */
export interface SessionService {
  /** Idempotent by id: `created` is false for a repeated request. `spawning`: another session's agent starts it. */
  create(
    body: CreateSession,
    origin: string,
    more?: { identity?: string; spawning?: Spawning },
  ): Promise<{ session: Session; created: boolean }>;
  /** Newest first; archived sessions only on request. */
  list(query: ListQuery): { sessions: Session[]; nextCursor?: string; total?: number };
  /** Throws `invalid` for a model, an effort or controls that the agent does not have. An unknown agent is not checked. */
  requireChoices(agent: string, choices: Pick<CreateSession, "model" | "effort" | "mode" | "controls">): Promise<void>;
  get(id: string): Session;
  patch(id: string, body: PatchSession): Promise<Applied>;
  delete(id: string): Promise<void>;
  /** The default sender is the user. */
  send(id: string, body: SendMessage, sender?: Sender): Sent;
  editMessage(id: string, message: string, body: PatchMessage): Session;
  /** Waits for the agent's answer if the message was sent into the running turn. */
  cancelMessage(id: string, message: string): Promise<Session>;
  interrupt(id: string, queue: QueueOnStop): Interrupted;
  changeQueue(id: string, state: QueueState): Session;
  /** Background tasks: those that run, then the last ended ones, newest first. */
  tasks(id: string): Task[];
  /** Asks the agent to stop a background task; the task shows the result. */
  stopTask(id: string, task: string): Task;
  /** Asks the agent what fills its context. Throws `unsupported` or `conflict`. */
  requestContext(id: string): { requested: true };
  /** Starts the agent's process before a message needs it, if `processes.warmUp` is on. */
  warmUp(id: string): { warming: boolean };
  /** The agent processes that run, and their limit. */
  processList(): ProcessList;
  close(id: string): Promise<{ released: boolean }>;
  /** Plans a handoff without changing anything. */
  planHandoff(id: string, body: HandoffBody): Promise<HandoffPlan>;
  /** `by`: the lead that requests it; absent for a person. */
  handOff(id: string, body: HandoffBody, by?: string): Promise<{ session: Session; handoff: Handoff }>;
  item(id: string, item: string): Item;
  inbox(): InputRequest[];
  /** `by`: the lead that answers; absent for a person. */
  answer(input: string, answer: InputAnswer, by?: string): { id: string; session: string; decision: string };
  grants(): Grant[];
  revokeGrant(id: string): void;
  /** Items that are streaming, with their text so far. */
  open(id: string): OpenItem[];
  /** The number of connected agent processes. */
  countRunning(): number;
  /** The number of background tasks that run. */
  countTasks(): number;
}

/**
 * Takes snapshots of the files before and after a turn. The actor calls it for each start and end, after the commit and
 * before the agent gets the prompt. Methods neither throw nor reject.
 */
export interface TurnSnapshots {
  /** A turn starts. The agent gets its prompt when this resolves, or at once for `undefined`. */
  begin(view: SessionView): Promise<void> | undefined;
  end(view: SessionView, turn: string): void;
  /** The session was deleted: its snapshots are removed. */
  forget(session: string): Promise<void>;
}

export type ListQuery = RouteQuery<"listSessions">;

/** Publishes what was committed. Methods are called synchronously after the commit and must not throw. */
export interface Publisher {
  committed(session: string, rows: StoredEvent[]): void;
  live(frame: LiveFrame): void;
  /** The session and its log were deleted. */
  removed(session: string): void;
}
