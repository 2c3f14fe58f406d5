import { eventFrame, gapFrame } from "./frames.ts";
import type { Numbering, RecentBatches } from "./recent.ts";
import type { LogSource } from "./source.ts";

const PAGE = 256;

/** A position in the log. The hub's only state of a reader apart from its sink. */
export interface Cursor {
  /** The bytes that follow, a page at most; `undefined` at the end of the log. Moves on. */
  next(): Buffer | undefined;
  /** Do news of this session concern the reader? */
  wants(session: string): boolean;
  readonly numbering: Numbering;
  /** The one session that the reader is about, if it is about one. */
  readonly only?: string;
}

/**
 * The published end of the log. A reader at this position needs no query, and none reads past it: a step is committed as a
 * whole before its frames are published in order, so the log may hold events that come after a live frame.
 */
export type Heads = { seq(session: string): number; id(): number };

/** Over one session. An `after` beyond the end of the log waits until the log has grown past it. */
export class SessionCursor implements Cursor {
  readonly numbering = "seq";
  readonly only: string;
  readonly #source: LogSource;
  readonly #recent: RecentBatches;
  readonly #heads: Heads;
  #seq: number;

  constructor(session: string, after: number, source: LogSource, recent: RecentBatches, heads: Heads) {
    this.only = session;
    this.#seq = after;
    this.#source = source;
    this.#recent = recent;
    this.#heads = heads;
  }

  next(): Buffer | undefined {
    const head = this.#heads.seq(this.only);
    if (this.#seq >= head) return undefined;
    const batch = this.#recent.startingAtSeq(this.only, this.#seq + 1);
    const bytes = batch?.bytes(this.numbering);
    if (!batch || !bytes) return this.#page(head);
    this.#seq = batch.last.seq;
    return bytes;
  }

  wants(session: string): boolean {
    return session === this.only;
  }

  #page(head: number): Buffer | undefined {
    const rows = this.#source.readEvents(this.only, this.#seq, PAGE).filter(({ seq }) => seq <= head);
    if (rows.length === 0) return undefined;
    let text = "";
    for (const row of rows) {
      if (row.seq !== this.#seq + 1) text += gapFrame(this.only, this.#seq + 1, row.seq - 1);
      text += eventFrame(row.seq, row.json);
      this.#seq = row.seq;
    }
    return Buffer.from(text);
  }
}

/** Over all sessions, or those named, numbered by row id. An `after` beyond the end of the log means "from now on". */
export class AllCursor implements Cursor {
  readonly numbering = "id";
  readonly #sessions: ReadonlySet<string> | undefined;
  readonly #source: LogSource;
  readonly #recent: RecentBatches;
  readonly #heads: Heads;
  #id: number;

  constructor(
    sessions: readonly string[] | undefined,
    after: number,
    source: LogSource,
    recent: RecentBatches,
    heads: Heads,
  ) {
    this.#sessions = sessions && new Set(sessions);
    this.#id = Math.min(after, source.lastId());
    this.#source = source;
    this.#recent = recent;
    this.#heads = heads;
  }

  next(): Buffer | undefined {
    for (let head = this.#heads.id(); this.#id < head; ) {
      const batch = this.#recent.startingAtId(this.#id + 1);
      const isWanted = batch && this.wants(batch.session);
      const bytes = isWanted ? batch.bytes(this.numbering) : undefined;
      if (!batch || (isWanted && !bytes)) return this.#page(head);
      this.#id = batch.last.id;
      if (bytes) return bytes;
    }
    return undefined;
  }

  wants(session: string): boolean {
    return this.#sessions?.has(session) ?? true;
  }

  #page(head: number): Buffer | undefined {
    const read = this.#source.readAll(this.#id, PAGE, this.#sessions && [...this.#sessions]);
    const rows = read.filter(({ id }) => id <= head);
    const last = rows.at(-1);
    if (!last) {
      this.#id = Math.max(this.#id, head);
      return undefined;
    }
    this.#id = last.id;
    return Buffer.from(rows.map((row) => eventFrame(row.id, row.json)).join(""));
  }
}
