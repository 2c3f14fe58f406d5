import type { Client, Frame as StreamFrame } from "@gantry/client";
import type { Envelope, Session } from "@gantry/protocol";
import type { Theme } from "@gantry/terminal";
import { type Entry, type EntryKind, type Frame, renderEntry, TranscriptFold } from "@gantry/terminal/transcript";

/** Events that are loaded when a session is opened, and each time the reader reaches the top. */
const PAGE = 400;

type Shown = { rows: string[]; frame: string; last: EntryKind | undefined; kind: EntryKind | undefined };

/** The conversation of one session: the loaded events, folded to entries, and their rows for the present width. */
export class TranscriptPane {
  /** Shows outputs, diffs and reasoning in full. */
  full = false;
  private readonly client: Client;
  private readonly session: Session;
  private readonly onChange: () => void;
  private readonly leave = new AbortController();
  private events: Envelope[] = [];
  private entries: Entry[] = [];
  private fold: TranscriptFold;
  private shown = new WeakMap<Entry, Shown>();
  private isLoading = false;

  constructor(client: Client, session: Session, onChange: () => void) {
    this.client = client;
    this.session = session;
    this.onChange = onChange;
    this.fold = this.newFold();
  }

  /** Loads the last events, then follows until `close`. Problems with the connection are the store's. */
  async open(): Promise<void> {
    const page = await this.client.sessions.events(this.session.id, { tail: PAGE });
    this.take(page.events);
    this.onChange();
    void this.follow(page.events.at(-1)?.seq ?? 0);
  }

  close(): void {
    this.leave.abort();
  }

  /** Loads the events before the first loaded one. Returns whether there were any. */
  async loadEarlier(): Promise<boolean> {
    const first = this.events[0]?.seq ?? 1;
    if (first <= 1 || this.isLoading) return false;
    this.isLoading = true;
    try {
      const after = Math.max(0, first - 1 - PAGE);
      const page = await this.client.sessions.events(this.session.id, { after, limit: first - 1 - after });
      const all = [...page.events, ...this.events];
      this.fold = this.newFold();
      this.events = [];
      this.entries = [];
      this.take(all);
      this.onChange();
      return true;
    } finally {
      this.isLoading = false;
    }
  }

  /** The number of events before the first loaded one. */
  get earlier(): number {
    return Math.max(0, (this.events[0]?.seq ?? 1) - 1);
  }

  rows(theme: Theme, width: number): string[] {
    const frame: Frame = { paint: theme, width, full: this.full };
    const key = `${width}-${this.full}-${theme.depth}-${theme.scheme}`;
    const rows: string[] = [];
    let last: EntryKind | undefined;
    for (const entry of this.entries) {
      const shown = this.renderOnce(entry, frame, key, last);
      for (const row of shown.rows) rows.push(row);
      last = shown.kind ?? last;
    }
    const open = this.fold.openRows(frame);
    if (open.length > 0) rows.push("", ...open);
    const pending = this.fold.pendingRows(frame);
    return pending.length > 0 ? [...rows, "", ...pending] : rows;
  }

  status(theme: Theme, now: number): string {
    return this.fold.status({ paint: theme, width: 200 }, now);
  }

  get isRunning(): boolean {
    return this.fold.isRunning;
  }

  private renderOnce(entry: Entry, frame: Frame, key: string, last: EntryKind | undefined): Shown {
    const known = this.shown.get(entry);
    if (known && known.frame === key && known.last === last) return known;
    const rows = renderEntry(entry, frame, last);
    const shown = { rows, frame: key, last, kind: rows.length > 0 ? entry.kind : undefined };
    this.shown.set(entry, shown);
    return shown;
  }

  private take(events: readonly Envelope[]): void {
    for (const event of events) {
      this.events.push(event);
      this.entries.push(...this.fold.event(event));
    }
  }

  private newFold(): TranscriptFold {
    const { cwd } = this.session;
    return new TranscriptFold({ plain: false, pendingElsewhere: true, cwd });
  }

  private async follow(after: number): Promise<void> {
    const { signal } = this.leave;
    try {
      for await (const frame of this.client.follow(this.session.id, { after, signal })) {
        this.show(frame);
        this.onChange();
      }
    } catch {
      // The session was deleted. The list of sessions shows that.
    }
  }

  private show(frame: StreamFrame): void {
    if ("event" in frame) return this.take([frame.event]);
    const live = "live" in frame ? frame.live : "snapshot" in frame ? frame.snapshot : frame.gap;
    this.entries.push(...this.fold.live(live));
  }
}
