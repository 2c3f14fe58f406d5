import type { StoredEvent } from "../log/port.ts";

/**
 * What the hub reads from the log. Reads are synchronous and see everything that was committed before them, so that
 * nothing can slip in between a read and the decision that the end of the log is reached.
 */
export interface LogSource {
  /** Events of one session with a `seq` greater than `after`, in order. */
  readEvents(session: string, after: number, limit: number): StoredEvent[];
  /** Events of all sessions, or of those named, with an `id` greater than `afterId`, in order. */
  readAll(afterId: number, limit: number, sessions?: readonly string[]): StoredEvent[];
  /** The last number in a session's log; 0 when there is no such log. */
  lastSeq(session: string): number;
  /** The id of the newest row of the whole log; 0 when it is empty. */
  lastId(): number;
}
