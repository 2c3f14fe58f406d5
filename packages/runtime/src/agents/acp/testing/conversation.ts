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

/** For tests: a talk with an imagined agent, in which whatever the channel wants to send is sent. */
export class Conversation {
  readonly sent: Sent[] = [];
  state: State;
  /** More may come of a turn that the agent has ended; otherwise its end is taken at once. */
  trails = false;
  readonly #channel: Channel<State>;

  constructor(agent: Agent, options: Partial<LaunchOptions> = {}) {
    this.#channel = agent.channels[0] as unknown as Channel<State>;
    this.state = this.#channel.initial({ ...launch, ...options });
    this.#write(this.#channel.open(this.state));
  }

  /** A conversation that was greeted and whose session is open, as far as the agent is concerned. */
  static opened(
    agent: Agent,
    options: Partial<LaunchOptions> = {},
    offers: object = {},
    can: object = {},
  ): Conversation {
    const talk = new Conversation(agent, options);
    talk.answer({ protocolVersion: 1, agentCapabilities: can });
    talk.answer({ sessionId: SESSION, ...offers });
    return talk;
  }

  /** One in which the agent works on message `msg_1`. */
  static running(agent: Agent, options: Partial<LaunchOptions> = {}): Conversation {
    const talk = Conversation.opened(agent, options);
    talk.command({ type: "prompt", message: "msg_1", text: "hi", attachments: [] });
    return talk;
  }

  get last(): Sent {
    return this.sent.at(-1) ?? {};
  }

  /** Methods of the requests and notifications sent so far. */
  get methods(): string[] {
    return this.sent.flatMap(({ method }) => (method ? [method] : []));
  }

  hear(msg: object): Output[] {
    return this.decode({ dir: "out", msg: { jsonrpc: "2.0", ...msg } });
  }

  /** A result for the last request that was sent. */
  answer(result: object): Output[] {
    return this.hear({ id: this.#lastRequest, result });
  }

  refuse(error: object): Output[] {
    return this.hear({ id: this.#lastRequest, error });
  }

  update(update: object, sessionId = SESSION): Output[] {
    return this.hear({ method: "session/update", params: { sessionId, update } });
  }

  say(text: string, kind = "agent_message_chunk"): Output[] {
    return this.update({ sessionUpdate: kind, content: { type: "text", text } });
  }

  decode(frame: Frame): Output[] {
    const outputs = this.#meant(this.#channel.decode(this.state, frame));
    return this.trails ? outputs : [...outputs, ...this.trailOver()];
  }

  /** Nothing more of the turn is waited for. */
  trailOver(): Output[] {
    return this.#channel.trail ? this.#meant(this.#channel.trail.over(this.state)) : [];
  }

  get trailMs(): number | undefined {
    return this.#channel.trail?.ms(this.state);
  }

  #meant([next, outputs]: Step<State>): Output[] {
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
