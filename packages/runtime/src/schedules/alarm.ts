import type { Clock } from "./clock.ts";

/**
 * Upper bound of a timer. Timers stop while a machine sleeps and wall-clock time may jump, so the clock is checked at
 * least this often.
 */
const LOOK_MS = 60_000;

/** One timer for the next due time. */
export class Alarm {
  readonly #clock: Clock;
  readonly #ring: () => void;
  #off: (() => void) | undefined;

  constructor(clock: Clock, ring: () => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /** Fires at `at` or a little earlier, so the callback checks the time. `undefined`: no alarm. */
  set(at: number | undefined): void {
    this.stop();
    if (at === undefined) return;
    const ms = Math.min(Math.max(at - this.#clock.now(), 0), LOOK_MS);
    this.#off = this.#clock.after(ms, () => {
      this.#off = undefined;
      this.#ring();
    });
  }

  stop(): void {
    this.#off?.();
    this.#off = undefined;
  }
}
