import type { Envelope } from "@gantry/protocol";
import { Cell } from "../../store/cell.ts";
import { foldRows, RowFold } from "../rows/fold.ts";
import { asItComes, type Openness } from "../rows/shown.ts";
import { joined, type Range, trimmed } from "./range.ts";

/** Where the events come from: a page of a session's log. Throws when it cannot be had. */
export type LoadPage = (query: { after?: number; limit?: number; tail?: number }) => Promise<{
  events: Envelope[];
  lastSeq: number;
}>;

/** What readers see of a window. `version` changes with every change of its rows. */
export type WindowState = {
  version: number;
  fold: RowFold;
  range: Range;
  /** The last event of the session that is known of, in the window or not. */
  end: number;
  loading?: "first" | "older" | "newer";
  failure?: unknown;
};

const FIRST = 150;
const PAGE = 200;
const MOST = 3000;

/**
 * The part of a session's log that is in memory: contiguous, at most `MOST` events, the tail first. It is moved by
 * `older`, `newer`, `jump` and `latest`, and grows by itself while it holds the tail. Calls may overlap; each waits for
 * the one before. None throws: a failure is in the state, and the next call tries again.
 */
export class TranscriptWindow {
  readonly state = new Cell<WindowState>({ version: 0, fold: new RowFold(), range: [], end: 0 });
  readonly openness = new Cell<Openness>(asItComes);
  /** Is the end before the reader? Then old events may go; else what he reads stays and new ones wait. */
  following = true;
  readonly #load: LoadPage;
  #work: Promise<void> = Promise.resolve();

  constructor(load: LoadPage) {
    this.#load = load;
  }

  get atStart(): boolean {
    const [first] = this.state.get().range;
    return first === undefined ? this.state.get().end === 0 : first.seq <= 1;
  }

  get atEnd(): boolean {
    const { range, end } = this.state.get();
    return (range.at(-1)?.seq ?? 0) >= end;
  }

  /** The end of the log, unless it is there already. */
  latest(): Promise<void> {
    return this.#next("first", async () => {
      if (this.state.get().range.length > 0 && this.atEnd) return;
      const { events, lastSeq } = await this.#load({ tail: FIRST });
      this.#show(events, Math.max(lastSeq, this.state.get().end));
      await this.#catchUp();
    });
  }

  /** The events around a place in the log, unless they are there already. */
  jump(seq: number): Promise<void> {
    return this.#next("first", async () => {
      if (this.#holds(seq)) return;
      const { events, lastSeq } = await this.#load({ after: Math.max(0, seq - PAGE / 2), limit: PAGE });
      if (events.length > 0) this.#show(events, Math.max(lastSeq, this.state.get().end));
    });
  }

  older(): Promise<void> {
    return this.#next("older", async () => {
      const [first] = this.state.get().range;
      if (!first || this.atStart) return;
      const after = Math.max(0, first.seq - 1 - PAGE);
      const { events } = await this.#load({ after, limit: first.seq - 1 - after });
      const { range, fold, end } = this.state.get();
      const grown = joined(events, range);
      const kept = this.following ? grown : trimmed(grown, MOST, "end");
      this.#set(kept, foldRows(kept, fold), end);
    });
  }

  newer(): Promise<void> {
    return this.#next("newer", async () => {
      const last = this.state.get().range.at(-1);
      if (!last || this.atEnd) return;
      const { events, lastSeq } = await this.#load({ after: last.seq, limit: PAGE });
      this.#append(events, Math.max(lastSeq, this.state.get().end));
      this.#trimFront();
    });
  }

  /** An event that came by itself. One that leaves a hole has what is missing fetched. */
  take(event: Envelope): void {
    const { range, end } = this.state.get();
    if (event.seq <= end) return;
    const wasAtEnd = this.atEnd && range.length > 0;
    if (wasAtEnd && event.seq === end + 1 && (this.following || range.length < MOST)) {
      this.#append([event], event.seq);
      if (this.following && range.length > MOST + PAGE) this.#trimFront();
      return;
    }
    this.noteEnd(event.seq, wasAtEnd && event.seq > end + 1);
  }

  /** The log reaches at least this far. */
  noteEnd(seq: number, fetch = this.atEnd && this.following): void {
    const state = this.state.get();
    if (seq <= state.end) return;
    this.state.set({ ...state, end: seq });
    if (fetch && state.range.length > 0) void this.#next("newer", () => this.#catchUp());
  }

  /** What came while a page was on its way: fetched until nothing is missing, or too much is for one window. */
  async #catchUp(): Promise<void> {
    while (!this.atEnd && this.state.get().range.length < MOST) {
      const last = this.state.get().range.at(-1)?.seq ?? 0;
      const { events, lastSeq } = await this.#load({ after: last, limit: PAGE });
      if (events.length === 0) return;
      this.#append(events, Math.max(lastSeq, this.state.get().end));
    }
  }

  #holds(seq: number): boolean {
    const { range } = this.state.get();
    return range.length > 0 && (range[0]?.seq ?? 0) <= seq && seq <= (range.at(-1)?.seq ?? 0);
  }

  #show(events: Envelope[], end: number): void {
    this.#set(events, foldRows(events, this.state.get().fold), end);
  }

  #append(events: readonly Envelope[], end: number): void {
    const { range, fold } = this.state.get();
    const last = range.at(-1)?.seq ?? 0;
    const fresh = events.filter((event) => event.seq > last);
    this.#set([...range, ...fresh], fold.add(fresh), end);
  }

  #trimFront(): void {
    const { range, fold, end } = this.state.get();
    if (range.length <= MOST) return;
    const kept = trimmed(range, MOST, "front");
    this.#set(kept, foldRows(kept, fold), end);
  }

  #set(range: Range, fold: RowFold, end: number): void {
    const { version, loading } = this.state.get();
    this.state.set({ version: version + 1, fold, range, end, loading });
  }

  /** One movement after the other; a second of the same kind that waits already is the same. */
  #next(kind: "first" | "older" | "newer", work: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(async () => {
      this.state.update((state) => ({ ...state, loading: kind, failure: undefined }));
      try {
        await work();
      } catch (failure) {
        this.state.update((state) => ({ ...state, failure }));
      } finally {
        this.state.update((state) => ({ ...state, loading: undefined }));
      }
    });
    return this.#work;
  }
}
