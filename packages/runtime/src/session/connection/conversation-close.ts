import { frameOf, type Line } from "../../framing/lines.ts";
import type { Talk } from "../exchange.ts";

/**
 * The end of a talk: the agent has been asked to put the conversation away, and all that still counts is that it has
 * done so. Whatever else it says meanwhile belongs to no turn, and stays in the spool.
 */
export class ConversationClose {
  readonly process: string;
  /** Resolves when the agent has answered; never, if it does not. */
  readonly answered: Promise<void>;
  readonly #resolve: () => void;
  readonly #key: string;
  #talk: Talk;

  /** `key` is that of the last frame that the agent was told. */
  constructor(process: string, talk: Talk, key: string) {
    this.process = process;
    this.#talk = talk;
    this.#key = key;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.answered = promise;
    this.#resolve = resolve;
  }

  hear(lines: readonly Line[]): void {
    for (const line of lines) {
      const [state, outputs] = this.#talk.channel.decode(this.#talk.state, frameOf(line));
      this.#talk = { ...this.#talk, state };
      if (outputs.some((output) => output.kind === "ack" && output.key === this.#key)) this.#resolve();
    }
  }
}
