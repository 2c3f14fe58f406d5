import type { DeadlineKind } from "./engine/deadlines.ts";

/** `trail`: what an agent may still say of a turn that it has ended. */
export type WatchKind = DeadlineKind | "idle" | "trail";

/** Timers by name. Arming one that runs leaves it alone unless `again` is set; none of them keeps the program alive. */
export class Watchdogs {
  readonly #timers = new Map<WatchKind, NodeJS.Timeout>();
  readonly #onPassed: (kind: WatchKind, seconds: number) => void;

  constructor(onPassed: (kind: WatchKind, seconds: number) => void) {
    this.#onPassed = onPassed;
  }

  arm(kind: WatchKind, seconds: number, again = false): void {
    const running = this.#timers.get(kind);
    if (running) {
      if (again) running.refresh();
      return;
    }
    const timer = setTimeout(() => {
      this.#timers.delete(kind);
      this.#onPassed(kind, seconds);
    }, seconds * 1000);
    timer.unref();
    this.#timers.set(kind, timer);
  }

  disarm(...kinds: WatchKind[]): void {
    for (const kind of kinds) {
      clearTimeout(this.#timers.get(kind));
      this.#timers.delete(kind);
    }
  }

  /** Arms or disarms by a condition. */
  keep(kind: WatchKind, wanted: boolean, seconds: number, again = false): void {
    if (wanted) this.arm(kind, seconds, again);
    else this.disarm(kind);
  }

  clear(): void {
    this.disarm(...this.#timers.keys());
  }
}
