import type { SseFrame, StreamTarget } from "./client/sse-reader.ts";

/** The measured content of a frame. `n` numbers the events of a burst; `at` is their creation on the monotonic clock. */
export type Received = { kind: "event"; n: number; at?: number } | { kind: "end" };

/** One conversation with an agent behind a server. */
export interface Conversation {
  readonly session: string;
  /** The address of its event stream, from the start or after `lastId`. */
  stream(lastId?: string): StreamTarget;
  parseFrame(frame: SseFrame): Received[];
  /** Makes the agent send `count` events at once. Resolves when the turn ends, or earlier. */
  burst(count: number): Promise<void>;
  /** The same with tool calls: a start and an end in turn. */
  tools?(count: number): Promise<void>;
  /** Tool calls without a pause for that many milliseconds. */
  flood?(ms: number): Promise<void>;
  /** One start or end of a tool call every `everyMs`. */
  paced?(count: number, everyMs: number): Promise<void>;
  /** Makes the agent work for about `seconds`. */
  workSlowly(seconds: number): Promise<void>;
  /** Runs one turn with a short answer. */
  answer(): Promise<void>;
  /** Runs one turn with a tool call that prints that many bytes; resolves when the turn ends. */
  bulk(bytes: number): Promise<void>;
  /** Fetches what a client needs to show the end of the conversation; returns the bytes, or why it is not possible. */
  page(last: { events: number; messages: number }): Promise<number | { cannot: string }>;
  /** The numbers of events that are available other than through the stream. */
  stored?(): Promise<number[]>;
}

/** A running server. The caller of `start` must call `stop`. */
export interface Server {
  readonly pid: number;
  /** Every process of the server has this mark in its environment. */
  readonly mark: string;
  /** From the start of the process to the first successful response. */
  readonly readyMs: number;
  open(): Promise<Conversation>;
  /** Reads the whole list of sessions and returns its length. */
  list?(): Promise<number>;
  /** The conversation after a restart; `undefined` if the server cannot reopen it. */
  reopen(session: string): Conversation | undefined;
  /** Kills only the server process with SIGKILL, not its children. */
  kill(): Promise<void>;
  /** Ends the server with SIGTERM and waits. */
  stop(): Promise<void>;
}

/** A kind of server: Gantry or a peer. `start` may be called again in the same `home` after `kill`. */
export interface Contestant {
  readonly name: string;
  start(home: string): Promise<Server>;
  /** What it cannot do, with the reason. */
  readonly cannot: { readonly [ability in "replay" | "history"]?: string };
  /** Peers only: writes one session of `count` events to a home folder before the start, and returns its id. */
  readonly history?: { most: number; make(home: string, count: number): string };
}
