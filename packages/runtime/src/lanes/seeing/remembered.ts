/**
 * Answers that are good for a while. Who asks while one is on its way gets the same; a failure is not remembered.
 * `ms` may be Infinity for what never changes; then the oldest go when there are too many.
 */
export class Remembered<Value> {
  readonly #ms: number;
  readonly #most: number;
  readonly #answers = new Map<string, { until: number; value: Promise<Value> }>();

  constructor(ms: number, most = 1000) {
    this.#ms = ms;
    this.#most = most;
  }

  get(key: string, ask: () => Promise<Value>, anew = false): Promise<Value> {
    const known = this.#answers.get(key);
    if (known && !anew && known.until > performance.now()) return known.value;
    const value = ask();
    const answer = { until: Number.POSITIVE_INFINITY, value };
    this.#answers.delete(key);
    this.#answers.set(key, answer);
    value.then(
      () => (answer.until = performance.now() + this.#ms),
      () => this.#answers.get(key) === answer && this.#answers.delete(key),
    );
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > this.#most && oldest !== undefined) this.#answers.delete(oldest);
    return value;
  }

  forget(key: string): void {
    this.#answers.delete(key);
  }
}
