import type { Agent, AgentCommand, Channel, Frame, LaunchOptions, Outbound, Output, Step } from "../../contract.ts";
import type { State } from "../state.ts";
import { launch } from "./recordings.ts";

export const SESSION = "session-1";

type Sent = {
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: unknown;
};

/** For tests: a conversation with a simulated agent. Every frame that the channel sends is delivered. */
export class FakeConversation {
  readonly sent: Sent[] = [];
  state: State;
  /** If set, the end of a turn is held back for late output; otherwise it is released at once. */
  trails = false;
  readonly #channel: Channel<State>;

  constructor(agent: Agent, options: Partial<LaunchOptions> = {}) {
    this.#channel = agent.channels[0] as unknown as Channel<State>;
    this.state = this.#channel.initial({ ...launch, ...options });
    this.#write(this.#channel.open(this.state));
  }

  /** A conversation after the handshake, with an open session. */
  static open(
    agent: Agent,
    options: Partial<LaunchOptions> = {},
    offers: object = {},
    can: object = {},
  ): FakeConversation {
    const conversation = new FakeConversation(agent, options);
    conversation.answer({ protocolVersion: 1, agentCapabilities: can });
    conversation.answer({ sessionId: SESSION, ...offers });
    return conversation;
  }

  /** A conversation that is processing message `msg_1`. */
  static startTurn(agent: Agent, options: Partial<LaunchOptions> = {}): FakeConversation {
    const conversation = FakeConversation.open(agent, options);
    conversation.command({ type: "prompt", message: "msg_1", text: "hi", attachments: [] });
    return conversation;
  }

  get last(): Sent {
    return this.sent.at(-1) ?? {};
  }

  /** Methods sent so far. */
  get methods(): string[] {
    return this.sent.flatMap(({ method }) => (method ? [method] : []));
  }

  receive(msg: object): Output[] {
    return this.decode({ dir: "out", msg: { jsonrpc: "2.0", ...msg } });
  }

  /** Responds to the last request. */
  answer(result: object): Output[] {
    return this.receive({ id: this.#lastRequest, result });
  }

  refuse(error: object): Output[] {
    return this.receive({ id: this.#lastRequest, error });
  }

  update(update: object, sessionId = SESSION): Output[] {
    return this.receive({ method: "session/update", params: { sessionId, update } });
  }

  sendText(text: string, kind = "agent_message_chunk"): Output[] {
    return this.update({ sessionUpdate: kind, content: { type: "text", text } });
  }

  decode(frame: Frame): Output[] {
    const outputs = this.#applyStep(this.#channel.decode(this.state, frame));
    return this.trails ? outputs : [...outputs, ...this.trailOver()];
  }

  /** Releases a held-back end of the turn. */
  trailOver(): Output[] {
    return this.#channel.trail ? this.#applyStep(this.#channel.trail.over(this.state)) : [];
  }

  get trailMs(): number | undefined {
    return this.#channel.trail?.ms(this.state);
  }

  #applyStep([next, outputs]: Step<State>): Output[] {
    this.state = JSON.parse(JSON.stringify(next)) as State;
    this.#write(outputs.flatMap((output) => (output.kind === "send" ? [output.frame] : [])));
    return outputs;
  }

  command(command: AgentCommand): Outbound[] | undefined {
    const frames = this.#channel.encode(this.state, command);
    this.#write(frames ?? []);
    return frames;
  }

  get #lastRequest() {
    return this.sent.findLast(({ id, method }) => id !== undefined && method !== undefined)?.id;
  }

  #write(frames: Outbound[]): void {
    for (const { msg } of frames) {
      this.sent.push(msg as Sent);
      this.decode({ dir: "in", msg });
    }
  }
}
