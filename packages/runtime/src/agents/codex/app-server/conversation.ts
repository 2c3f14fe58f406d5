import type { AgentCommand, Channel, Frame, LaunchOptions, Outbound, Output } from "../../contract.ts";
import { launch } from "../replay.ts";
import { appServer } from "./channel.ts";
import type { State } from "./state.ts";

export const THREAD = "thread-1";

/** For tests: a conversation with a simulated app-server. Every frame that the channel sends is delivered. */
export class FakeAppServer {
  readonly sent: {
    id?: number | string;
    method?: string;
    params?: Record<string, unknown>;
    result?: unknown;
    error?: unknown;
  }[] = [];
  state: State;
  private readonly channel = appServer as unknown as Channel<State>;

  constructor(options: Partial<LaunchOptions> = {}) {
    this.state = this.channel.initial({ ...launch, ...options });
    this.write(this.channel.open(this.state));
  }

  /** A conversation whose thread is open. */
  static open(options: Partial<LaunchOptions> = {}): FakeAppServer {
    const conversation = new FakeAppServer(options);
    conversation.receive({ id: 1, result: { userAgent: "x", codexHome: "/home/dev/.codex" } });
    conversation.receive({ id: 2, result: { thread: { id: THREAD }, model: "m-1" } });
    return conversation;
  }

  /** A conversation with a running turn, started by message `msg_1`. */
  static startTurn(turn = "turn-1", options: Partial<LaunchOptions> = {}): FakeAppServer {
    const conversation = FakeAppServer.open(options);
    conversation.command({ type: "prompt", message: "msg_1", text: "hi", attachments: [] });
    conversation.receive({ id: conversation.lastSent.id, result: { turn: { id: turn } } });
    return conversation;
  }

  get lastSent() {
    return this.sent.at(-1) ?? {};
  }

  receive(msg: unknown): Output[] {
    return this.decode({ dir: "out", msg });
  }

  /** Sends a notification for our thread and turn, unless `params` override them. */
  notify(method: string, params: Record<string, unknown> = {}): Output[] {
    return this.receive({ method, params: { threadId: THREAD, turnId: this.state.turn, ...params } });
  }

  decode(frame: Frame): Output[] {
    const [next, outputs] = this.channel.decode(this.state, frame);
    this.state = JSON.parse(JSON.stringify(next)) as State;
    this.write(outputs.flatMap((output) => (output.kind === "send" ? [output.frame] : [])));
    return outputs;
  }

  command(command: AgentCommand): Outbound[] | undefined {
    const frames = this.channel.encode(this.state, command);
    this.write(frames ?? []);
    return frames;
  }

  private write(frames: Outbound[]): void {
    for (const { msg } of frames) {
      this.sent.push(msg as FakeAppServer["sent"][number]);
      this.decode({ dir: "in", msg });
    }
  }
}
