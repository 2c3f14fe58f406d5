/** The longest text of one call. */
const MAX_CHARS = 65_536;

/**
 * Sends typed input in order, one call at a time. Input typed during a call is sent with the next. Input that could not
 * be sent is dropped and reported, because sending it later would be surprising.
 */
export class InputSender {
  readonly #send: (text: string) => Promise<unknown>;
  readonly #onError: (error: unknown) => void;
  #pending = "";
  #busy = false;

  constructor(send: (text: string) => Promise<unknown>, onError: (error: unknown) => void) {
    this.#send = send;
    this.#onError = onError;
  }

  type(text: string): void {
    this.#pending += text;
    if (!this.#busy) void this.#drain();
  }

  async #drain(): Promise<void> {
    this.#busy = true;
    try {
      while (this.#pending !== "") await this.#send(this.#take());
    } catch (error) {
      this.#pending = "";
      this.#onError(error);
    } finally {
      this.#busy = false;
    }
  }

  #take(): string {
    // Do not split a surrogate pair.
    const halved = /[\ud800-\udbff]/.test(this.#pending[MAX_CHARS - 1] ?? "");
    const text = this.#pending.slice(0, halved ? MAX_CHARS - 1 : MAX_CHARS);
    this.#pending = this.#pending.slice(text.length);
    return text;
  }
}
