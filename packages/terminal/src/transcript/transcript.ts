import type { Envelope, Gap, LiveFrame, Snapshot } from "@gantry/protocol";
import type { Paint } from "../text/paint.ts";
import { type Entry, type EntryKind, type Frame, renderEntry } from "./entry.ts";
import { type FoldOptions, TranscriptFold } from "./fold.ts";

export type TranscriptOptions = Omit<FoldOptions, "plain"> & {
  paint: Paint;
  /** Wraps rows at this width. Absent in a pipe, where lines stay whole. */
  width?: () => number;
};

/** Converts the events of one session, in order, to lines that are printed once. */
export class Transcript {
  private readonly options: TranscriptOptions;
  private readonly fold: TranscriptFold;
  private last: EntryKind | undefined;

  constructor(options: TranscriptOptions) {
    this.options = options;
    this.fold = new TranscriptFold({ ...options, plain: options.width === undefined });
  }

  event(event: Envelope): string[] {
    return this.lines(this.fold.event(event));
  }

  /** A live frame; returns the lines of the open message that are now complete. */
  live(frame: LiveFrame | Snapshot | Gap): string[] {
    return this.lines(this.fold.live(frame));
  }

  /** What is still open, as rows. */
  get partial(): string[] {
    return this.fold.openRows(this.frame());
  }

  /** One row for each message that the agent has not read during its turn. */
  get pending(): string[] {
    return this.fold.pendingRows(this.frame());
  }

  /** The current activity for the status line; between turns the background tasks. */
  status(now: number): string {
    return this.fold.status(this.frame(), now);
  }

  private frame(): Frame {
    const { paint, full, width } = this.options;
    return { paint, full, width: width?.() };
  }

  private lines(entries: readonly Entry[]): string[] {
    return entries.flatMap((entry) => {
      const rows = renderEntry(entry, this.frame(), this.last);
      if (rows.length > 0) this.last = entry.kind;
      return rows;
    });
  }
}
