import { frameOf, type Line } from "../../framing/lines.ts";
import type { Conversation } from "../engine/state.ts";

/**
 * A conversation that the agent was asked to close. Only its acknowledgement counts: any other output belongs to no turn
 * and stays in the spool.
 */
export class ConversationClose {
  readonly process: string;
  /** Resolves when the agent acknowledged; never, if it does not. */
  readonly acknowledged: Promise<void>;
  readonly #resolve: () => void;
  readonly #key: string;
  readonly #conversation: Conversation;

  /** `key` is that of the last frame that was sent. */
  constructor(process: string, conversation: Conversation, key: string) {
    this.process = process;
    this.#conversation = { ...conversation };
    this.#key = key;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.acknowledged = promise;
    this.#resolve = resolve;
  }

  receive(lines: readonly Line[]): void {
    for (const line of lines) {
      const [state, outputs] = this.#conversation.channel.decode(this.#conversation.state, frameOf(line));
      this.#conversation.state = state;
      if (outputs.some((output) => output.kind === "ack" && output.key === this.#key)) this.#resolve();
    }
  }
}
