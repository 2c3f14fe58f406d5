import { type Envelope, foldSession, type IdKind, idPrefixes, type LiveFrame, pairs } from "@gantry/protocol";
import type { AgentCommand, Channel, Frame, Output } from "../../../agents/contract.ts";
import { type InputOf, type InputType, type ReplyOf, step } from "../engine.ts";
import { applyOutput } from "../outputs.ts";
import { sendPrompts } from "../prompts.ts";
import { type Conversation, type Effect, type EngineContext, type EngineState, initialState } from "../state.ts";
import { SessionStep } from "../step.ts";

/** A channel for tests: a frame lists its outputs, and a command becomes a frame that holds the command. */
export const fakeChannel = {
  name: "fake",
  launch: () => ({ args: [] }),
  initial: () => ({}),
  open: () => [],
  decode: (state: object, frame: Frame) => [state, outputsOf(frame)],
  encode: (_: object, command: AgentCommand) => [{ msg: command, repeat: "safe" }],
  recognises: () => false,
} as unknown as Channel<never>;

function outputsOf(frame: Frame): Output[] {
  return frame.dir === "out" && "msg" in frame ? ((frame.msg as { outputs?: Output[] }).outputs ?? []) : [];
}

/** An open conversation on the fake channel. */
export function fakeConversation(more: Partial<Conversation> = {}): Conversation {
  return { channel: fakeChannel, state: {} as never, ready: true, prompted: [], offset: 0, ...more };
}

/** The engine with a counting clock, counting ids and a fake conversation in place of the actor, for tests. */
export class EngineBench {
  state: EngineState;
  readonly events: Envelope[];
  readonly published: (Envelope | LiveFrame)[] = [];
  /** Of the last step. */
  effects: Effect[] = [];
  /** Commands that the last step sent to the agent. */
  commands: AgentCommand[] = [];
  readonly context: EngineContext;

  constructor(options: { steer?: "inline" | "queue"; queueLimit?: number; edits?: boolean } = {}) {
    const counts: Partial<Record<IdKind, number>> = {};
    let time = 0;
    this.context = {
      now: () => new Date(++time).toISOString(),
      id: (kind) => {
        counts[kind] = (counts[kind] ?? 0) + 1;
        return `${idPrefixes[kind]}_${counts[kind]}`;
      },
      agent: {
        id: "scripted",
        name: "Scripted agent",
        edits: options.edits ?? true,
        steer: options.steer ?? "inline",
        provider: "none",
      },
      queueLimit: options.queueLimit ?? 10,
    };
    const data = { agent: "scripted", mode: "ask" as const, cwd: "/work/project", title: "Test", origin: "test" };
    const first = { v: 1, session: "ses_1", seq: 1, at: this.context.now(), type: "session.created", data } as Envelope;
    this.events = [first];
    this.state = { ...initialState(foldSession(undefined, first)), conversation: fakeConversation() };
  }

  get view() {
    return this.state.view;
  }

  /** One step with an input. */
  apply<T extends InputType>(type: T, input: InputOf<T>): ReplyOf<T> {
    const { step: next, reply } = step(this.state, this.context, type, input);
    this.#take(next);
    return reply;
  }

  /** One step with decoder outputs. */
  output(...outputs: Output[]): void {
    this.do((next) => {
      for (const output of outputs) applyOutput(next, output);
      sendPrompts(next);
    });
  }

  /** One step by a function. */
  do<T>(action: (step: SessionStep) => T): T {
    const next = new SessionStep(this.state, this.context);
    const result = action(next);
    this.#take(next);
    return result;
  }

  types(): string[] {
    return this.events.map((event) => event.type);
  }

  #take(next: SessionStep): void {
    this.state = next.end();
    this.effects = next.effects;
    this.commands = next.frames.map(({ msg }) => msg as AgentCommand);
    this.events.push(...next.events);
    this.published.push(...next.out);
  }
}

/** Violations of laws 1 and 3 in a log. `open`: starts without an end. */
export function faults(events: readonly Envelope[]): { broken: string[]; open: string[] } {
  const broken: string[] = [];
  const open = new Set<string>();
  events.forEach((event, index) => {
    if (event.seq !== index + 1) broken.push(`seq ${event.seq} at place ${index + 1}`);
    for (const pair of pairs) {
      if (event.type !== pair.start && event.type !== pair.end) continue;
      const name = pair.key === "turn" ? event.turn : (event.data as Record<string, unknown>)[pair.key];
      const key = `${pair.start} ${name}`;
      if (event.type === pair.start && open.has(key)) broken.push(`${key} started twice`);
      if (event.type === pair.end && !open.has(key)) broken.push(`${key} ended without a start`);
      if (event.type === pair.start) open.add(key);
      else open.delete(key);
    }
  });
  return { broken, open: [...open] };
}
