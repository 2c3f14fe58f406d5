import type { Envelope } from "@gantry/protocol";
import { Cell } from "../../store/cell.ts";
import { foldRows, RowFold } from "../rows/fold.ts";
import { defaultOpenness, type Openness } from "../rows/shown-rows.ts";
import { joinRanges, type Range, trimRange } from "./range.ts";

/** Loads a page of a session's log. May throw. */
export type LoadPage = (query: { after?: number; limit?: number; tail?: number }) => Promise<{
  events: Envelope[];
  lastSeq: number;
}>;

/** The state of a window. `version` changes with every change of its rows. */
export type WindowState = {
  version: number;
  fold: RowFold;
  range: Range;
  /** The last known sequence number of the session, inside the window or not. */
  end: number;
  loading?: "first" | "older" | "newer";
  failure?: unknown;
};

const FIRST_PAGE = 150;
const PAGE = 200;
const MAX_EVENTS = 3000;

/**
 * The part of a session's log that is in memory: a contiguous range of at most `MAX_EVENTS` events, starting with the
 * tail. `loadOlder`, `loadNewer`, `jump` and `loadLatest` move it; while it contains the tail, it follows new events. Calls may
 * overlap and run one after the other. None throws: a failure is stored in the state, and the next call retries.
 */
export class TranscriptWindow {
  readonly state = new Cell<WindowState>({ version: 0, fold: new RowFold(), range: [], end: 0 });
  readonly openness = new Cell<Openness>(defaultOpenness);
  /** Whether the user is at the end. If so, old events are dropped; otherwise the range stays and new events wait. */
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

  /** Loads the end of the log, unless it is already loaded. */
  loadLatest(): Promise<void> {
    return this.#next("first", async () => {
      if (this.state.get().range.length > 0 && this.atEnd) return;
      const { events, lastSeq } = await this.#load({ tail: FIRST_PAGE });
      this.#show(events, Math.max(lastSeq, this.state.get().end));
      await this.#catchUp();
    });
  }

  /** Loads the events around `seq`, unless they are already loaded. */
  jump(seq: number): Promise<void> {
    return this.#next("first", async () => {
      if (this.#contains(seq)) return;
      const { events, lastSeq } = await this.#load({ after: Math.max(0, seq - PAGE / 2), limit: PAGE });
      if (events.length > 0) this.#show(events, Math.max(lastSeq, this.state.get().end));
    });
  }

  loadOlder(): Promise<void> {
    return this.#next("older", async () => {
      const [first] = this.state.get().range;
      if (!first || this.atStart) return;
      const after = Math.max(0, first.seq - 1 - PAGE);
      const { events } = await this.#load({ after, limit: first.seq - 1 - after });
      const { range, fold, end } = this.state.get();
      const grown = joinRanges(events, range);
      const next = this.following ? grown : trimRange(grown, MAX_EVENTS, "end");
      this.#set(next, foldRows(next, fold), end);
    });
  }

  loadNewer(): Promise<void> {
    return this.#next("newer", async () => {
      const last = this.state.get().range.at(-1);
      if (!last || this.atEnd) return;
      const { events, lastSeq } = await this.#load({ after: last.seq, limit: PAGE });
      this.#append(events, Math.max(lastSeq, this.state.get().end));
      this.#trimFront();
    });
  }

  /** Adds an event from the feed. If it leaves a gap, the missing events are fetched. */
  take(event: Envelope): void {
    const { range, end } = this.state.get();
    if (event.seq <= end) return;
    const wasAtEnd = this.atEnd && range.length > 0;
    if (wasAtEnd && event.seq === end + 1 && (this.following || range.length < MAX_EVENTS)) {
      this.#append([event], event.seq);
      if (this.following && range.length > MAX_EVENTS + PAGE) this.#trimFront();
      return;
    }
    this.noteEnd(event.seq, wasAtEnd && event.seq > end + 1);
  }

  /** Records that the log extends at least to `seq`. */
  noteEnd(seq: number, fetch = this.atEnd && this.following): void {
    const state = this.state.get();
    if (seq <= state.end) return;
    this.state.set({ ...state, end: seq });
    if (fetch && state.range.length > 0) void this.#next("newer", () => this.#catchUp());
  }

  /** Fetches events that were added while a page was loading, until none is missing or the window is full. */
  async #catchUp(): Promise<void> {
    while (!this.atEnd && this.state.get().range.length < MAX_EVENTS) {
      const last = this.state.get().range.at(-1)?.seq ?? 0;
      const { events, lastSeq } = await this.#load({ after: last, limit: PAGE });
      if (events.length === 0) return;
      this.#append(events, Math.max(lastSeq, this.state.get().end));
    }
  }

  #contains(seq: number): boolean {
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
    if (range.length <= MAX_EVENTS) return;
    const next = trimRange(range, MAX_EVENTS, "front");
    this.#set(next, foldRows(next, fold), end);
  }

  #set(range: Range, fold: RowFold, end: number): void {
    const { version, loading } = this.state.get();
    this.state.set({ version: version + 1, fold, range, end, loading });
  }

  /** Queues a movement after the previous one. */
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
