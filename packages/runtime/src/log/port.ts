import type {
  Cost,
  Envelope,
  Grant,
  InputRequest,
  SearchHit,
  SessionState,
  SessionView,
  Usage,
  UsageRow,
} from "@gantry/protocol";
import type { Processes } from "../process/ledger.ts";

export type { Processes, ProcessRow } from "../process/ledger.ts";

/** An event as it is stored. `id` is the cursor over all sessions; `json` is the envelope, byte for byte as clients get it. */
export type StoredEvent = { id: number; session: string; seq: number; json: string };

export type SessionRow = {
  id: string;
  agent: string;
  title: string;
  state: SessionState;
  cwd: string;
  createdAt: string;
  updatedAt: string;
  lastSeq: number;
  /** How many inputs wait for a person. */
  pending: number;
  archived: boolean;
  view: SessionView;
  /** Hash of the request that created it, so that the same request again finds the same session. */
  request?: string;
};

export type SessionQuery = {
  state?: SessionState;
  /** Words that title, folder, agent or id contain. */
  q?: string;
  limit?: number;
  cursor?: string;
  /** Left out: only sessions that are not archived. */
  archived?: boolean | "any";
  /** Only sessions of identities, or only others; left out: both. */
  identities?: boolean;
  /** Only sessions of this identity. */
  identity?: string;
};

export type InputRow = {
  id: string;
  session: string;
  state: "pending" | "resolved";
  request: InputRequest;
  resolution?: Envelope<"input.resolved">["data"];
};

/** How far the spool of a process has been decoded, and a state of its decoder to go on from. */
export type SpoolRow = {
  process: string;
  session: string;
  /** Everything before this byte of stdout is in the log. */
  offset: number;
  errOffset: number;
  mark?: string;
  /** The byte of stdout at which `mark` was taken. */
  markOffset: number;
};

/** Fields that are left out stay as they are. A mark without its offset is taken at `offset`. */
export type SpoolUpdate = {
  process: string;
  offset?: number;
  errOffset?: number;
  mark?: string;
  markOffset?: number;
};

/**
 * pending: recorded, not written. writing: the write was begun, so after a crash it is in doubt. written: all bytes are
 * in the FIFO. acked: the agent showed that it has it. dropped: it will never be written.
 */
export type JournalState = "pending" | "writing" | "written" | "acked" | "dropped";

export type JournalRow = {
  id: string;
  process: string;
  session: string;
  /** Order within the process. */
  ordinal: number;
  /** The byte of stdout that had been decoded when the frame was made: its place among the agent's own frames. */
  atOffset: number;
  /** JSON text of the frame's message. */
  frame: string;
  key?: string;
  repeat: "safe" | "ask";
  state: JournalState;
};

/**
 * What becomes durable together or not at all. All events belong to `session` and follow its last one without a gap.
 * `view` is the fold after them; left out, the store folds. `request` goes with the first batch of a session.
 */
export type Batch = {
  session: string;
  events: readonly Envelope[];
  view?: SessionView;
  spool?: SpoolUpdate;
  journal?: { add?: readonly JournalRow[]; set?: readonly { id: string; state: JournalState }[] };
  messages?: readonly { id: string; hash: string }[];
  request?: { hash?: string; env?: Record<string, string> };
  records?: readonly RecordChange[];
  /**
   * `true` keeps the session out of sight, `false` shows it. One that is out of sight when the daemon dies is removed by
   * the next: a log that is written in many batches is seen as a whole or not at all.
   */
  hidden?: boolean;
};

export interface Sessions {
  /** `undefined` also for a session that is marked as deleted. */
  get(id: string): SessionRow | undefined;
  /** The newest first. `cursor` is what the page before gave as `nextCursor`; throws GantryError `invalid` for another. */
  list(query?: SessionQuery): { sessions: SessionRow[]; nextCursor?: string };
  /**
   * Values of the session's own environment variables. They are in no event. Returns the same object until a commit
   * writes the environment again; only the first call queries the database.
   */
  env(id: string): Readonly<Record<string, string>>;
  /** Sessions that hold a conversation of the agent's, by its handle. */
  byHandle(agent: string): Map<string, string>;
  /** Hides the session; what is left of it goes with `delete`, also after a crash in between: see `doomed`. */
  markDeleted(id: string): void;
  doomed(): string[];
  /** Removes all rows of the session. Returns the blobs that no event refers to any more. */
  delete(id: string): { blobs: string[] };
}

export interface Journal {
  /** Frames of a process in their order; `states` narrows. */
  list(process: string, states?: readonly JournalState[]): JournalRow[];
  nextOrdinal(process: string): number;
  /** Removes the frames of a process that has ended. */
  forget(process: string): void;
}

export interface Spools {
  get(process: string): SpoolRow | undefined;
  ofSession(session: string): SpoolRow[];
  forget(process: string): void;
}

export interface Meta {
  get(key: string): string | undefined;
  set(key: string, value: string): void;
}

/**
 * Small things beside the logs that have an id and a shape of their own: lanes, jobs, schedules. Kept as JSON, a few
 * hundred of a kind at most. What belongs to a session's history is an event and not one of these.
 */
export interface Records<Value> {
  get(id: string): Value | undefined;
  put(id: string, value: Value): void;
  delete(id: string): void;
  /** In the order of their ids. */
  list(): Value[];
}

/** A record as it goes with a batch; without a value it is taken away. */
export type RecordChange = { kind: string; id: string; value?: unknown };

/** Tokens and cost that belong to no session's log; `account` stands where else the session does. */
export type Expense = { account: string; at: string; agent: string; model?: string; usage?: Usage; cost?: Cost };

export type UsageKey = "agent" | "model" | "day" | "session" | "lane" | "turn";

/** `since` is included, `until` is not; both are ISO times in UTC. */
export type UsageFilter = { since?: string; until?: string; session?: string; lane?: string };

/**
 * The log and what is folded from it. Synchronous, with one writer: its owner calls it from one thread. Reads see every
 * commit that returned. Methods throw only for what is wrong with the storage (StorageFullError, or the database's own
 * error) or with the caller (a gap in `seq`); they then changed nothing.
 */
export interface Store {
  /** One transaction. Returns the events as stored, for fan-out of the same bytes. */
  commit(batch: Batch): StoredEvent[];
  readEvents(session: string, after: number, limit: number): StoredEvent[];
  /** The last `n`, oldest first. */
  tailEvents(session: string, n: number): StoredEvent[];
  /** Events of all sessions, or of those named, after a cursor. */
  readAll(afterId: number, limit: number, sessions?: readonly string[]): StoredEvent[];
  /** Begins and ends of turns and what they changed, all of a session. */
  turnEvents(session: string): StoredEvent[];
  /** 0 for a session without events. */
  lastSeq(session: string): number;
  lastId(): number;
  /** All events of an item, in order. */
  findItem(session: string, item: string): StoredEvent[];
  /** Inputs that wait for a person, over all sessions, oldest first. */
  pendingInputs(): InputRequest[];
  findInput(id: string): InputRow | undefined;
  grants(): Grant[];
  /** The hash under which a message was admitted. */
  findMessage(session: string, message: string): string | undefined;
  /** Full text; any text is a valid query. */
  search(q: string, limit: number, session?: string): SearchHit[];
  /** Counts what was spent outside of any session. */
  book(expense: Expense): void;
  usage(by: readonly UsageKey[], filter?: UsageFilter): { rows: UsageRow[]; total: UsageRow };
  /** Computes view, inputs, usage, search and blob references of a session anew from its events. */
  rebuild(session: string): void;
  /** Is the blob named by any event? */
  refersTo(blob: string): boolean;
  readonly sessions: Sessions;
  readonly journal: Journal;
  readonly spools: Spools;
  readonly processes: Processes;
  readonly meta: Meta;
  /** The records of one kind. `Value` is what was put; it is not checked. */
  records<Value>(kind: string): Records<Value>;
  close(): void;
}
