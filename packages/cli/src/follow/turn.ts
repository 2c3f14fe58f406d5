import type { Client } from "@gantry/client";
import { type Envelope, type InputAnswer, type InputRequest, limitTitle } from "@gantry/protocol";
import type { Asker } from "./ask.ts";
import { reportReconnects } from "./reconnect.ts";
import type { View } from "./view.ts";

export type TurnOptions = {
  client: Client;
  session: string;
  /** Where in the log to begin. */
  after: number;
  /** Whose turn: that of a message, of the `first` message there is, or all of them until the session `rests`. */
  until: { message: string } | "first" | "rests";
  view: View;
  /** Without one, an input that waits ends the following. */
  asker?: Asker;
  /** Leaves the turn running and stops following. */
  signal: AbortSignal;
  /** Was the turn asked to stop? Then an unanswered question is no reason to leave. */
  interrupting?: () => boolean;
};

export type TurnResult =
  | { outcome: "completed" | "failed" | "interrupted"; end: Envelope<"turn.ended"> }
  | { outcome: "waiting"; inputs: InputRequest[] }
  | { outcome: "undelivered"; reason: string }
  /** The message waits for a limit and is sent when it ends. */
  | { outcome: "limited"; text: string }
  | { outcome: "detached" };

/**
 * Shows a session's frames until the turn ends, an input waits and no asker is set, or the signal aborts. Asks inputs one
 * at a time and withdraws a question that another client answers.
 */
export async function followTurn(options: TurnOptions): Promise<TurnResult> {
  const leave = new AbortController();
  const follower = new Follower(options, leave);
  const signal = AbortSignal.any([options.signal, leave.signal]);
  try {
    const onReconnect = reportReconnects((text) => options.view.print([text]));
    for await (const frame of options.client.follow(options.session, { after: options.after, signal, onReconnect })) {
      options.view.show(frame);
      if (!("event" in frame)) continue;
      const result = await follower.see(frame.event);
      if (result) return result;
      if (follower.left) return follower.left;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    follower.stop();
    leave.abort();
  }
  if (follower.left) return follower.left;
  return options.signal.aborted ? { outcome: "detached" } : { outcome: "undelivered", reason: "the session is gone" };
}

/** Tracks the followed turn and the open questions. */
class Follower {
  /** Set when a person left a question unanswered. */
  left: TurnResult | undefined;
  private readonly options: TurnOptions;
  private readonly leave: AbortController;
  private readonly asking = new Map<string, AbortController>();
  private questions: Promise<void> = Promise.resolve();
  private message: string | undefined;
  private turn: string | undefined;

  constructor(options: TurnOptions, leave: AbortController) {
    this.options = options;
    this.leave = leave;
    if (typeof options.until === "object") this.message = options.until.message;
  }

  async see(event: Envelope): Promise<TurnResult | undefined> {
    switch (event.type) {
      case "message.user":
        if (this.options.until === "first") this.message ??= event.data.message;
        return undefined;
      case "turn.started":
        if (this.message && event.data.messages.includes(this.message)) this.turn = event.turn;
        return undefined;
      case "message.delivery":
        return this.delivery(event);
      case "input.requested":
        return event.data.blocking ? this.handleInputRequest(event.data) : undefined;
      case "input.resolved":
        this.asking.get(event.data.id)?.abort();
        this.asking.delete(event.data.id);
        return undefined;
      case "turn.ended":
        return this.handleTurnEnd(event);
      case "limit.reached":
        return this.limitReached(event);
      default:
        return undefined;
    }
  }

  stop(): void {
    for (const controller of this.asking.values()) controller.abort();
  }

  private delivery(event: Envelope<"message.delivery">): TurnResult | undefined {
    const { message, state, reason } = event.data;
    if (message !== this.message) return undefined;
    // The end of its turn follows and has the details.
    if ((state === "cancelled" || state === "failed") && event.turn !== undefined && event.turn === this.turn)
      return undefined;
    if (state === "cancelled" || state === "failed")
      return { outcome: "undelivered", reason: reason ?? `it was ${state}` };
    if (state === "inline" || state === "delivered") this.turn ??= event.turn;
    return undefined;
  }

  /** With `until: "rests"` the follower also waits for the limit. */
  private limitReached({ data }: Envelope<"limit.reached">): TurnResult | undefined {
    if (!this.message || this.turn || this.options.until === "rests") return undefined;
    const text = data.text ?? limitTitle({ ...data, autoResume: data.autoResume ?? true });
    return { outcome: "limited", text };
  }

  private async handleTurnEnd(event: Envelope<"turn.ended">): Promise<TurnResult | undefined> {
    const result: TurnResult = { outcome: event.data.outcome, end: event };
    if (this.options.until !== "rests") return event.turn === this.turn ? result : undefined;
    const session = await this.options.client.call("getSession", { params: { id: this.options.session } });
    const rests = !session.turn && (session.queue.length === 0 || session.queueState === "paused");
    return rests && session.lastTurn?.id === event.turn ? result : undefined;
  }

  private async handleInputRequest(input: InputRequest): Promise<TurnResult | undefined> {
    if (!this.options.asker) return this.stillWaiting();
    this.ask(input, this.options.asker);
    return undefined;
  }

  /** Re-reads the session: a grant may have answered the input at the same moment. */
  private async stillWaiting(): Promise<TurnResult | undefined> {
    const session = await this.options.client.call("getSession", { params: { id: this.options.session } });
    const inputs = session.inputs.filter((input) => input.blocking);
    return inputs.length > 0 ? { outcome: "waiting", inputs } : undefined;
  }

  private ask(input: InputRequest, asker: Asker): void {
    const controller = new AbortController();
    this.asking.set(input.id, controller);
    this.questions = this.questions.then(async () => {
      if (controller.signal.aborted) return;
      this.options.view.suspend();
      const answer = await asker(input, controller.signal);
      this.options.view.resume();
      if (answer) return this.send(input, answer);
      if (controller.signal.aborted || this.options.interrupting?.()) return;
      this.left = { outcome: "waiting", inputs: [input] };
      this.leave.abort();
    });
  }

  private async send(input: InputRequest, answer: InputAnswer): Promise<void> {
    try {
      await this.options.client.call("answerInput", { params: { id: input.id }, body: answer });
    } catch (error) {
      if ((error as { code?: string }).code === "already_answered") return;
      this.options.view.print([`the answer did not arrive: ${(error as Error).message}`]);
    }
  }
}
