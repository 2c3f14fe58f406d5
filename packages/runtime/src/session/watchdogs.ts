import type { DeadlineKind, Deadlines } from "./engine/state.ts";

/** The longest delay of setTimeout. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** `due` is on the monotonic clock, `at` on the clock of the deadlines. */
type Watchdog = { timer: NodeJS.Timeout; at: number; due: number };

/**
 * Timers for the deadlines of a session's state. A deadline that moves later costs nothing until its timer fires: the
 * timer is then armed for the rest. Only elapsed time counts: a clock that is set forwards fires nothing early, and one
 * that is set back delays nothing. No timer keeps the program running.
 */
export class Watchdogs {
  readonly #watchdogs = new Map<DeadlineKind, Watchdog>();
  readonly #onPassed: (kind: DeadlineKind) => void;

  constructor(onPassed: (kind: DeadlineKind) => void) {
    this.#onPassed = onPassed;
  }

  /** Arms a timer for each deadline and disarms the others. `now` is in ms, on the clock of the deadlines. */
  sync(deadlines: Deadlines, now: number): void {
    for (const kind of this.#watchdogs.keys()) if (!deadlines[kind]) this.#disarm(kind);
    for (const kind of Object.keys(deadlines) as DeadlineKind[]) {
      const deadline = deadlines[kind];
      const watchdog = this.#watchdogs.get(kind);
      if (!deadline || watchdog?.at === deadline.at) continue;
      const ms = Math.min(Math.max(deadline.at - now, 0), deadline.seconds * 1000);
      const due = performance.now() + ms;
      if (watchdog && due >= watchdog.due) Object.assign(watchdog, { at: deadline.at, due });
      else this.#arm(kind, deadline.at, due);
    }
  }

  clear(): void {
    for (const kind of this.#watchdogs.keys()) this.#disarm(kind);
  }

  #arm(kind: DeadlineKind, at: number, due: number): void {
    this.#disarm(kind);
    const delay = Math.min(Math.max(due - performance.now(), 0), MAX_DELAY_MS);
    this.#watchdogs.set(kind, { timer: setTimeout(() => this.#fire(kind), delay).unref(), at, due });
  }

  #fire(kind: DeadlineKind): void {
    const watchdog = this.#watchdogs.get(kind);
    this.#watchdogs.delete(kind);
    if (!watchdog) return;
    // Timers are rounded to milliseconds.
    if (watchdog.due - performance.now() > 1) this.#arm(kind, watchdog.at, watchdog.due);
    else this.#onPassed(kind);
  }

  #disarm(kind: DeadlineKind): void {
    clearTimeout(this.#watchdogs.get(kind)?.timer);
    this.#watchdogs.delete(kind);
  }
}
