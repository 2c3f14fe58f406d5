/** A timeout that counts only between `start` and `stop`. The calls come in pairs and may be nested. */
export class Countdown {
  readonly #over: () => void;
  #left: number;
  #running = 0;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number, over: () => void) {
    this.#left = milliseconds;
    this.#over = over;
  }

  start(): void {
    this.#running += 1;
    if (this.#running !== 1) return;
    this.#since = performance.now();
    this.#timer = setTimeout(this.#over, Math.max(0, this.#left));
  }

  stop(): void {
    this.#running -= 1;
    if (this.#running !== 0) return;
    clearTimeout(this.#timer);
    this.#left -= performance.now() - this.#since;
  }
}
