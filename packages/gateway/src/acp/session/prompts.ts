import { RequestError } from "@agentclientprotocol/sdk/unstable";
import type { Output, TurnEnd } from "../updates/update.ts";
import type { SentMessage } from "./find-message.ts";

/** A prompt of this connection whose turn has not ended. */
type Prompt = {
  turn?: string;
  /** The daemon has the message, or refused it. */
  sent: Promise<unknown>;
  isCancelled: boolean;
  started: PromiseWithResolvers<void>;
  ended: PromiseWithResolvers<TurnEnd>;
};

const CANCELLED: TurnEnd = { stopReason: "cancelled" };

/** The prompts in flight, by message id. The log decides when a prompt has started and ended. */
export class Prompts {
  readonly #open = new Map<string, Prompt>();
  /** Messages of this connection, which a client of version 1 shows without an update. */
  readonly #own = new Set<string>();

  isOwn(message: string): boolean {
    return this.#own.has(message);
  }

  get size(): number {
    return this.#open.size;
  }

  /** Sends a message, or joins the prompt that sent the same one. Rejects if the daemon refuses it. */
  async add(message: string, send: () => Promise<unknown>): Promise<Pick<Prompt, "started" | "ended">> {
    const known = this.#open.get(message);
    if (known) return known;
    const prompt = this.#create(message);
    const sent = send();
    prompt.sent = sent.catch(() => {});
    try {
      await sent;
    } catch (error) {
      this.#open.delete(message);
      this.#own.delete(message);
      throw error;
    }
    return prompt;
  }

  /** Waits for a message that was sent before. */
  join(message: string, earlier: SentMessage): Pick<Prompt, "started" | "ended"> {
    const known = this.#open.get(message);
    if (known) return known;
    const prompt = this.#create(message);
    if (earlier.turn !== undefined) this.#start(message, earlier.turn);
    if (earlier.end) this.#end(message, earlier.end);
    return prompt;
  }

  #create(message: string): Prompt {
    const prompt: Prompt = {
      isCancelled: false,
      started: Promise.withResolvers(),
      ended: Promise.withResolvers(),
      sent: Promise.resolve(),
    };
    // Either may reject while only the other is awaited.
    prompt.started.promise.catch(() => {});
    prompt.ended.promise.catch(() => {});
    this.#open.set(message, prompt);
    this.#own.add(message);
    return prompt;
  }

  /** Follows the facts of the log. Returns the messages that were cancelled but returned to the queue. */
  take(output: Output): string[] {
    if ("started" in output) for (const message of output.messages) this.#start(message, output.started);
    if ("ended" in output) this.#endTurn(output.ended, output.end);
    return "message" in output ? this.#changeMessage(output) : [];
  }

  /** Marks every prompt as cancelled and resolves when the daemon has all of their messages. */
  async cancel(): Promise<string[]> {
    const all = [...this.#open];
    for (const [, prompt] of all) prompt.isCancelled = true;
    await Promise.all(all.map(([, { sent }]) => sent));
    return all
      .filter(([message, { turn }]) => turn === undefined && this.#open.has(message))
      .map(([message]) => message);
  }

  /** Ends the cancelled prompts that no turn has taken. */
  endCancelled(): void {
    for (const [message, { isCancelled, turn }] of this.#open)
      if (isCancelled && turn === undefined) this.#end(message, CANCELLED);
  }

  /** Resolves when every prompt has ended. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#open.values()].map(({ ended }) => ended.promise));
  }

  /** The session cannot be followed any more. */
  fail(error: unknown): void {
    for (const { started, ended } of this.#open.values()) {
      started.reject(error);
      ended.reject(error);
    }
    this.#open.clear();
  }

  #start(message: string, turn: string): void {
    const prompt = this.#open.get(message);
    if (!prompt) return;
    prompt.turn = turn;
    prompt.started.resolve();
  }

  #endTurn(turn: string, end: TurnEnd): void {
    for (const [message, prompt] of this.#open) if (prompt.turn === turn) this.#end(message, end);
  }

  #changeMessage({ message, state, reason }: Extract<Output, { message: string }>): string[] {
    const prompt = this.#open.get(message);
    if (!prompt) return [];
    if (state === "failed") {
      const failure = { category: "unknown", message: reason ?? "The agent did not accept the message." };
      this.#end(message, { stopReason: "error", failure });
    }
    if (state === "cancelled") this.#end(message, CANCELLED);
    if (state !== "queued") return [];
    prompt.turn = undefined;
    return prompt.isCancelled ? [message] : [];
  }

  #end(message: string, end: TurnEnd): void {
    const prompt = this.#open.get(message);
    this.#open.delete(message);
    prompt?.started.reject(new RequestError(-32800, "The prompt was cancelled before its turn started."));
    prompt?.ended.resolve(end);
  }
}
