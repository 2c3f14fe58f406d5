import type { AgentCommand, Channel, Frame, LaunchOptions, Outbound, Output } from "../../contract.ts";
import { launch } from "../replay.ts";
import { appServer } from "./channel.ts";
import type { State } from "./state.ts";

export const THREAD = "thread-1";

/** For tests: a talk with an imagined app-server, in which whatever the channel wants to send is sent. */
export class Conversation {
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
  static opened(options: Partial<LaunchOptions> = {}): Conversation {
    const talk = new Conversation(options);
    talk.hear({ id: 1, result: { userAgent: "x", codexHome: "/home/dev/.codex" } });
    talk.hear({ id: 2, result: { thread: { id: THREAD }, model: "m-1" } });
    return talk;
  }

  /** One in which a turn with this id runs, started by message `msg_1`. */
  static running(turn = "turn-1", options: Partial<LaunchOptions> = {}): Conversation {
    const talk = Conversation.opened(options);
    talk.command({ type: "prompt", message: "msg_1", text: "hi", attachments: [] });
    talk.hear({ id: talk.lastSent.id, result: { turn: { id: turn } } });
    return talk;
  }

  get lastSent() {
    return this.sent.at(-1) ?? {};
  }

  hear(msg: unknown): Output[] {
    return this.decode({ dir: "out", msg });
  }

  /** A notification about our thread and the running turn, unless `params` say otherwise. */
  notify(method: string, params: Record<string, unknown> = {}): Output[] {
    return this.hear({ method, params: { threadId: THREAD, turnId: this.state.turn, ...params } });
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
      this.sent.push(msg as Conversation["sent"][number]);
      this.decode({ dir: "in", msg });
    }
  }
}
