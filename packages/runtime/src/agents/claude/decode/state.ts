import type { EventType, eventTable, Failure, Usage } from "@gantry/protocol";
import { noUsage } from "@gantry/protocol";
import type { z } from "zod";
import type { DecoderEvent, LaunchOptions, Output } from "../../contract.ts";
import { compact } from "../../fields.ts";
import { nativeOf } from "../modes.ts";
import { event } from "../outputs.ts";
import type { PlanEntry, PlanTask } from "../tools/plan.ts";

/** A message of the user on its way. It leaves the list once Claude has it and the turn that it is part of is over. */
export type Sent = {
  uuid: string;
  /** Our id; absent for frames that are no message of a person, such as `/compact`. */
  message?: string;
  acked?: boolean;
  /** Claude said outside of a turn that it has it: the next turn is about it. */
  accepted?: boolean;
  taken?: boolean;
};

type Turn = {
  /** UUIDs of the messages that it is about. */
  messages: string[];
  /** Claude said something for the user to read. */
  said: boolean;
  /** We asked it to stop. */
  stopping?: boolean;
  /** The provider's error that Claude passed on; the turn ends with it unless it goes on. */
  failure?: Failure;
};

/** A control request of ours that waits for its answer. */
export type Request = { what: "initialize" | "interrupt" | "mode" | "model" | "effort" | "other"; value: string };

/** A question of Claude's that is not answered yet. `input` is a fingerprint of the tool's input. */
export type Ask = { tool: string; name: string; input: string; questions: string[] };

/** A block that is being streamed: how much of it came, and a running hash of it in place of the text. */
export type Block = { item: string; channel: "text" | "reasoning" | "input"; length: number; hash: number };

/** The main talk's key among `messages`; the others go by the tool call that they are said inside of. */
export const MAIN = "";

/** The model's message that is being told. `next` is the index of its next block. */
export type Message = { id: string; next: number; blocks: Record<string, Block> };

export type Tool = {
  name: string;
  denied?: boolean;
  plan?: string;
  todos?: PlanEntry[];
  input?: Record<string, string>;
};

/** All that decoding remembers from one frame to the next: a plain JSON value without the texts that the log holds. */
export type State = {
  /** The conversation's native id, once Claude has said it. */
  conversation?: string;
  /** The conversation that this process was to resume. */
  resumes?: string;
  /** Different for each process: what is named after it is unique in the conversation. */
  launch: string;
  ready: boolean;
  /** Native permission mode, and the one to go back to when a plan is approved. */
  mode?: string;
  beforePlan?: string;
  model?: string;
  /** The model that answered last. */
  served?: string;
  turn?: Turn;
  turns: number;
  /** A prompt went in and no turn has begun since. */
  prompted: boolean;
  sent: Sent[];
  /** UUIDs of the messages of the last turns. */
  done: string[];
  /** How many frames of ours went in: makes the ids of the next ones unique. */
  written: number;
  requests: Record<string, Request>;
  asks: Record<string, Ask>;
  messages: Record<string, Message>;
  tools: Record<string, Tool>;
  /** Running subagents by task id, with the tool call that started them. */
  subagents: Record<string, { tool: string; background: boolean }>;
  tasks: PlanTask[];
  /** Tokens that the last request held. */
  context?: number;
  /** What `result` frames have summed up so far. */
  spent: number;
  used: Usage;
  limited: boolean;
  lost: boolean;
  stderr: string[];
  /** A JSON frame was seen in either direction, so a line of plain text is out of place. */
  framed: boolean;
  /** The answer so far of a process that prints plain text. */
  plain?: string;
};

export function initialState(options: LaunchOptions): State {
  return compact({
    resumes: options.fork ? undefined : options.resume,
    launch: options.uuid,
    ready: false,
    mode: nativeOf(options.mode),
    model: undefined,
    turns: 0,
    prompted: false,
    sent: [],
    done: [],
    written: 0,
    requests: {},
    asks: {},
    messages: {},
    tools: {},
    subagents: {},
    tasks: [],
    spent: 0,
    used: noUsage,
    limited: false,
    lost: false,
    stderr: [],
    framed: false,
  });
}

/**
 * One frame on its way through the decoder: the state as it becomes, and what is said so far. Handlers set fields of
 * `state` and never change what is inside them, so the state that was handed in stays as it was.
 */
export class Pass {
  readonly state: State;
  readonly out: Output[] = [];

  constructor(state: State) {
    this.state = { ...state };
  }

  emit(...outputs: Output[]): void {
    this.out.push(...outputs);
  }

  event<T extends DecoderEvent & EventType>(
    type: T,
    data: z.input<(typeof eventTable)[T]>,
    detail?: Record<string, unknown>,
  ): void {
    this.out.push(event(type, data, detail));
  }
}
