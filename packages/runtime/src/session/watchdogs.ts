import type { DeadlineKind, Deadlines } from "./engine/state.ts";

/** The longest delay of setTimeout. */
const MAX_DELAY_MS = 2 ** 31 - 1;

type Watchdog = { timer: NodeJS.Timeout; armedFor: number; at: number };

/**
 * Timers for the deadlines of a session's state. A deadline that moves later costs nothing until its timer fires: the
 * timer is then armed for the rest. Only elapsed time counts, so a changed clock fires nothing early. No timer keeps the
 * program running.
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
      const at = deadlines[kind]?.at;
      if (at === undefined) continue;
      const watchdog = this.#watchdogs.get(kind);
      if (watchdog && at >= watchdog.armedFor) watchdog.at = at;
      else this.#arm(kind, at, at - now);
    }
  }

  clear(): void {
    for (const kind of this.#watchdogs.keys()) this.#disarm(kind);
  }

  #arm(kind: DeadlineKind, at: number, ms: number): void {
    this.#disarm(kind);
    const delay = Math.min(Math.max(ms, 0), MAX_DELAY_MS);
    const timer = setTimeout(() => this.#fire(kind), delay).unref();
    this.#watchdogs.set(kind, { timer, at, armedFor: at - Math.max(ms, 0) + delay });
  }

  #fire(kind: DeadlineKind): void {
    const watchdog = this.#watchdogs.get(kind);
    this.#watchdogs.delete(kind);
    if (!watchdog) return;
    if (watchdog.at > watchdog.armedFor) this.#arm(kind, watchdog.at, watchdog.at - watchdog.armedFor);
    else this.#onPassed(kind);
  }

  #disarm(kind: DeadlineKind): void {
    clearTimeout(this.#watchdogs.get(kind)?.timer);
    this.#watchdogs.delete(kind);
  }
}
