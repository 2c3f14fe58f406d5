import type {
  Cost,
  Envelope,
  EventType,
  Grant,
  InputRequest,
  SearchHit,
  SearchKind,
  SessionState,
  SessionView,
  Usage,
  UsageRow,
} from "@gantry/protocol";
import type { Processes } from "../process/ledger.ts";

export type { Processes, ProcessRow } from "../process/ledger.ts";

/**
 * A stored event. `id` is the cursor over all sessions; `json` is the envelope, the same bytes that clients receive. Observers
 * of commits look at `type` instead of searching the JSON.
 */
export type StoredEvent = { id: number; session: string; seq: number; type: EventType; json: string };

export type SessionRow = {
  id: string;
  agent: string;
  title: string;
  state: SessionState;
  cwd: string;
  createdAt: string;
  updatedAt: string;
  lastSeq: number;
  /** Number of pending inputs. */
  pending: number;
  archived: boolean;
  view: SessionView;
  /** Hash of the request that created it, so that a repeated request returns the same session. */
  request?: string;
};

export type SessionQuery = {
  state?: SessionState;
  /** Leaves out sessions that are certainly done. The view decides about the others; see `sessionStatus`. */
  open?: boolean;
  /** Terms that must all occur in title, folder, agent or id. */
  q?: string;
  limit?: number;
  cursor?: string;
  /** Default: only sessions that are not archived. */
  archived?: boolean | "any";
  /** Only sessions of identities, or only others. Default: both. */
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

/** How far the spool of a process has been decoded, and a decoder state to resume from. */
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

/** Absent fields stay unchanged. A mark without its offset is taken at `offset`. */
export type SpoolUpdate = {
  process: string;
  offset?: number;
  errOffset?: number;
  mark?: string;
  markOffset?: number;
};

/**
 * pending: recorded, not written. writing: the write has started, so after a crash it may or may not have happened. written: all bytes are
 * in the FIFO. acked: the agent confirmed it. dropped: it will never be written.
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
 * One transaction. All events belong to `session` and follow its last one without a gap.
 * `view` is the fold after them; if absent, the store folds. `request` goes with the first batch of a session.
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
   * `true` hides the session, `false` shows it. The next daemon removes a session that is still hidden after a crash, so
   * a log that is written in many batches appears as a whole or not at all.
   */
  hidden?: boolean;
};

export interface Sessions {
  /** `undefined` also for a session that is marked as deleted. */
  get(id: string): SessionRow | undefined;
  /** The newest first. `cursor` is the `nextCursor` of the previous page; throws GantryError `invalid` for any other value. */
  list(query?: SessionQuery): { sessions: SessionRow[]; nextCursor?: string };
  /** The number of sessions on all pages of a list. */
  count(query: SessionQuery): number;
  /**
   * Values of the session's own environment variables. They are in no event. Returns the same object until a commit
   * writes the environment again; only the first call queries the database.
   */
  env(id: string): Readonly<Record<string, string>>;
  /** Sessions that hold a conversation of the agent's, by its handle. */
  byHandle(agent: string): Map<string, string>;
  /** Hides the session until `delete` removes it. After a crash between the two, `listDeleted` lists it. */
  markDeleted(id: string): void;
  listDeleted(): string[];
  /** Removes all rows of the session. Returns the blobs that became orphans. */
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
 * Small JSON values with an id, stored next to the logs: lanes, jobs, schedules. At most a few hundred of a kind. The
 * history of a session is events, never records.
 */
export interface Records<Value> {
  get(id: string): Value | undefined;
  put(id: string, value: Value): void;
  delete(id: string): void;
  /** In the order of their ids. */
  list(): Value[];
}

/** The kind of the records that hold the MCP servers of a session, by its id. They are deleted with the session. */
export const SESSION_SERVERS = "session-servers";

/** A record that is committed with a batch; without a value it is deleted. */
export type RecordChange = { kind: string; id: string; value?: unknown };

/** Tokens and cost that belong to no session's log; `account` takes the place of the session. */
export type Expense = { account: string; at: string; agent: string; model?: string; usage?: Usage; cost?: Cost };

export type UsageKey = "agent" | "model" | "day" | "session" | "lane" | "turn";

/** What a search is restricted to. Times are ISO; `until` is exclusive. The default order is `newest`. */
export type SearchFilter = {
  session?: string;
  agent?: string;
  /** A folder and everything below it. */
  folder?: string;
  kind?: SearchKind;
  since?: string;
  until?: string;
  order?: "newest" | "relevance";
};

/** `since` is included, `until` is not; both are ISO times in UTC. */
export type UsageFilter = { since?: string; until?: string; session?: string; lane?: string };

/**
 * The log and its caches. Synchronous, with one writer: its owner calls it from one thread. Reads see every
 * commit that returned. Methods throw only for storage failures (StorageFullError, or the database's error) and for
 * mistakes of the caller (a gap in `seq`); they have then changed nothing.
 */
export interface Store {
  /** One transaction. Returns the events as stored, for fan-out of the same bytes. */
  commit(batch: Batch): StoredEvent[];
  readEvents(session: string, after: number, limit: number): StoredEvent[];
  /** The last `n`, oldest first. */
  tailEvents(session: string, n: number): StoredEvent[];
  /** Events of all sessions, or of those named, after a cursor. */
  readAll(afterId: number, limit: number, sessions?: readonly string[]): StoredEvent[];
  /** Starts, ends and file changes of all turns of a session. */
  turnEvents(session: string): StoredEvent[];
  /** 0 for a session without events. */
  lastSeq(session: string): number;
  lastId(): number;
  /** All events of an item, in order. */
  findItem(session: string, item: string): StoredEvent[];
  /** Pending inputs of all sessions, oldest first. */
  pendingInputs(): InputRequest[];
  findInput(id: string): InputRow | undefined;
  grants(): Grant[];
  /** The idempotency hash of a message. */
  findMessage(session: string, message: string): string | undefined;
  /** Full text; any text is a valid query. */
  search(q: string, limit: number, filter?: SearchFilter): SearchHit[];
  /** Records cost outside of sessions. */
  book(expense: Expense): void;
  usage(by: readonly UsageKey[], filter?: UsageFilter): { rows: UsageRow[]; total: UsageRow };
  /** Rebuilds view, inputs, usage, search and blob references of a session from its events. */
  rebuild(session: string): void;
  /** Whether any event refers to the blob. */
  refersTo(blob: string): boolean;
  readonly sessions: Sessions;
  readonly journal: Journal;
  readonly spools: Spools;
  readonly processes: Processes;
  readonly meta: Meta;
  /** The records of one kind. `Value` is not validated. */
  records<Value>(kind: string): Records<Value>;
  /** Frees caches, which fill again on use. */
  releaseMemory(): void;
  close(): void;
}
