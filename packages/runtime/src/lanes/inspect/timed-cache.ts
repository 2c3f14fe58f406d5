/**
 * A cache with a lifetime. Concurrent callers share one request; failures are not cached. `ms` may be Infinity for
 * values that never change; then the oldest entries are evicted beyond `most`.
 */
export class TimedCache<Value> {
  readonly #ms: number;
  readonly #most: number;
  readonly #answers = new Map<string, { until: number; value: Promise<Value> }>();

  constructor(ms: number, most = 1000) {
    this.#ms = ms;
    this.#most = most;
  }

  get(key: string, ask: () => Promise<Value>, refresh = false): Promise<Value> {
    const known = this.#answers.get(key);
    if (known && !refresh && known.until > performance.now()) return known.value;
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
