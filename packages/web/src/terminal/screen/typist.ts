/** The most that one call takes. */
const MOST = 65_536;

/**
 * Sends what is typed in its order: one call at a time, and whatever is typed meanwhile with the next. What could not be
 * sent is dropped and told, since sending it later would surprise.
 */
export class Typist {
  readonly #send: (text: string) => Promise<unknown>;
  readonly #onError: (error: unknown) => void;
  #waiting = "";
  #busy = false;

  constructor(send: (text: string) => Promise<unknown>, onError: (error: unknown) => void) {
    this.#send = send;
    this.#onError = onError;
  }

  type(text: string): void {
    this.#waiting += text;
    if (!this.#busy) void this.#drain();
  }

  async #drain(): Promise<void> {
    this.#busy = true;
    try {
      while (this.#waiting !== "") await this.#send(this.#take());
    } catch (error) {
      this.#waiting = "";
      this.#onError(error);
    } finally {
      this.#busy = false;
    }
  }

  #take(): string {
    // A character of two halves stays in one piece.
    const halved = /[\ud800-\udbff]/.test(this.#waiting[MOST - 1] ?? "");
    const text = this.#waiting.slice(0, halved ? MOST - 1 : MOST);
    this.#waiting = this.#waiting.slice(text.length);
    return text;
  }
}
