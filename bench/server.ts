import type { SseFrame, StreamTarget } from "./sse-reader.ts";

/** What a frame says about the work under measurement. `n` numbers the events of a burst; `at` is the agent's clock. */
export type Heard = { kind: "event"; n: number; at?: number } | { kind: "end" };

/** One conversation with an agent behind a server. */
export interface Talk {
  readonly session: string;
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
  /** Fetches what a client needs to show the end of the conversation; gives the bytes, or why there is no such thing. */
  page(last: { events: number; messages: number }): Promise<number | { cannot: string }>;
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
  /** The conversation of before a restart; `undefined` where that cannot be had. */
  reopen(session: string): Talk | undefined;
  /** Ends it without a word, and it alone: its children are left to their fate. */
  kill(): Promise<void>;
  /** Ends it as its user would, and waits. */
  stop(): Promise<void>;
}

/** A kind of server: Gantry or a peer. `start` may be called again in the same `home` after `kill`. */
export interface Contestant {
  readonly name: string;
  start(home: string): Promise<Server>;
  /** What it cannot do at all, in words. */
  readonly cannot: { readonly [ability in "replay" | "history"]?: string };
  /** Only peers: puts one session of `count` events into a home folder, before the start there, and gives its id. */
  readonly history?: { most: number; make(home: string, count: number): string };
}
