import type { SseFrame, StreamTarget } from "./sse-reader.ts";

/** What a frame says about the work under measurement. `n` numbers the events of a burst; `at` is the agent's clock. */
export type Heard = { kind: "event"; n: number; at?: number } | { kind: "end" };

/** One conversation with an agent behind a server. */
export interface Talk {
  /** Where its events are streamed, from the beginning of what the server gives or after `lastId`. */
  stream(lastId?: string): StreamTarget;
  hear(frame: SseFrame): Heard[];
  /** Has the agent send `count` events at once. Resolves at the latest when the turn is over. */
  burst(count: number): Promise<void>;
  /** Has the agent work for about `seconds`. */
  dawdle(seconds: number): Promise<void>;
  /** One short answer. */
  answer(): Promise<void>;
  /** One turn with a tool call that prints that many bytes; resolves when it is over. */
  bulk(bytes: number): Promise<void>;
  /** Bytes that a client needs to show the end of the conversation, or why there is no such thing. */
  page(): Promise<number | { cannot: string }>;
  /** Numbers of events that can be had in another way than by the stream. */
  stored?(): Promise<number[]>;
}

/** A running server. Whoever starts one stops it. */
export interface Server {
  readonly pid: number;
  /** Every process that belongs to it carries this mark. */
  readonly mark: string;
  /** From the start of the process to the first good answer. */
  readonly readyMs: number;
  open(): Promise<Talk>;
  /** Finds the conversations of before a restart again; what comes back is `undefined` where that cannot be done. */
  reopen(talk: Talk): Promise<Talk | undefined>;
  /** Ends it without a word, and it alone: its children are left to their fate. */
  kill(): Promise<void>;
  /** Ends it as its user would, and waits. */
  stop(): Promise<void>;
}

/** A kind of server: Gantry or a peer. `start` may be called again in the same `home` after `kill`. */
export interface Contestant {
  readonly name: string;
  start(home: string): Promise<Server>;
  /** What it cannot do at all, by the name of the line, in words. */
  readonly cannot: Readonly<Record<string, string>>;
}
