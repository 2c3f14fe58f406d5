import type { Clock } from "./clock.ts";

/** A clock for tests: time passes only when the test advances it. */
export class FakeClock implements Clock {
  #wall: number;
  #passed = 0;
  #timers: { at: number; run: () => void }[] = [];

  constructor(start: string) {
    this.#wall = Date.parse(start);
  }

  now(): number {
    return this.#wall + this.#passed;
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.#passed + ms, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  }

  /** How many calls are waited for. */
  get waiting(): number {
    return this.#timers.length;
  }

  /** Advances the time and runs the due callbacks in order. */
  async pass(ms: number): Promise<void> {
    const end = this.#passed + ms;
    for (;;) {
      const next = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#timers = this.#timers.filter((one) => one !== next);
      this.#passed = Math.max(this.#passed, next.at);
      next.run();
      await settlePromises();
    }
    this.#passed = end;
    await settlePromises();
  }

  /** The clock on the wall is set; timers do not notice, as after a sleep of the machine. */
  jump(ms: number): void {
    this.#wall += ms;
  }
}

/** Whatever was begun and needs no time has happened. */
export async function settlePromises(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
}
