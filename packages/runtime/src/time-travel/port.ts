import type { PastSession } from "@gantry/protocol";

/** Sessions as they were at any event of their logs. */
export interface TimeTravelService {
  /** Throws `no_such_session` and `no_such_event`. Throws `unavailable` after `signal`. */
  at(session: string, seq: number, signal?: AbortSignal): Promise<PastSession>;
}
