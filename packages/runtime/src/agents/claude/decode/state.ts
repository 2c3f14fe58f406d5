import type { ControlValues, EventType, eventTable, Failure, Mode, TaskKind, Usage } from "@gantry/protocol";
import { noUsage } from "@gantry/protocol";
import type { z } from "zod";
import type { DecoderEvent, LaunchOptions, Output } from "../../contract.ts";
import { compact } from "../../fields.ts";
import { keepsAskRules } from "../launch/own-rules.ts";
import { nativeOf } from "../modes.ts";
import { event } from "../outputs.ts";
import type { PlanEntry, PlanTask } from "../tools/plan.ts";

/** A user message in transit. Removed once Claude has it and its turn has ended. */
export type Sent = {
  uuid: string;
  /** Our id; absent for frames that are not user messages, such as `/compact`. */
  message?: string;
  acked?: boolean;
  /** Claude accepted it outside a turn: the next turn is about it. */
  accepted?: boolean;
  taken?: boolean;
  /** We asked Claude to give it back. */
  retracting?: boolean;
};

type Turn = {
  /** UUIDs of the turn's messages. */
  messages: string[];
  /** Claude produced text for the user. */
  hasOutput: boolean;
  /** An interrupt was sent. */
  stopping?: boolean;
  /** The provider error that Claude reported; the turn ends with it unless Claude recovers. */
  failure?: Failure;
};

/** One of our control requests that awaits a response. */
export type Request = {
  what: "initialize" | "interrupt" | "mode" | "model" | "effort" | "stopTask" | "retract" | "context" | "other";
  value: string;
  /** The requested mode and controls of a change of the permission mode. */
  asked?: Mode;
  controls?: ControlValues;
};

/** An open request of Claude. `input` is a fingerprint of the tool's input. */
export type Ask = { tool: string; name: string; input: string; questions: string[] };

/** A block that is being streamed: its length and running hash instead of the text. */
export type Block = { item: string; channel: "text" | "reasoning" | "input"; length: number; hash: number };

/** The key of the main conversation in `messages`; subagents use their tool call. */
export const MAIN = "";

/** The current message. `next` is the index of its next block. */
export type Message = { id: string; next: number; blocks: Record<string, Block> };

export type Tool = {
  name: string;
  denied?: boolean;
  plan?: string;
  todos?: PlanEntry[];
  input?: Record<string, string>;
  /** The shell command, shortened. */
  command?: string;
};

/**
 * A running subagent or command. `background`: it does not block its tool call. `listed`: Claude listed it among its
 * background tasks. `status`: the last one that an update reported.
 */
export type Job = {
  kind: TaskKind;
  title: string;
  command?: string;
  tool?: string;
  parent?: string;
  background?: boolean;
  listed?: boolean;
  status?: string;
};

/** The decoder state: plain JSON without texts that the log holds. Stored in marks, so field names are fixed. */
export type State = {
  /** The conversation's native id, once known. */
  conversation?: string;
  /** The conversation to resume. */
  resumes?: string;
  /** Unique per process, used in generated ids. */
  launch: string;
  ready: boolean;
  /** Native permission mode, and the one to restore when a plan is approved. */
  mode?: string;
  beforePlan?: string;
  /** The requested mode and controls. Absent in marks of earlier versions. */
  asked?: Mode;
  controls?: ControlValues;
  /** The process has rules of the user that ask, which a mode that works freely must not have. */
  asksByRule?: boolean;
  /** The user has rules that ask, and the process was started without them. */
  lacksAskRules?: boolean;
  /** The process was started with only the rules that Gantry passed. Absent in marks of earlier versions. */
  pinned?: boolean;
  model?: string;
  /** The model that served the last response. */
  served?: string;
  turn?: Turn;
  turns: number;
  /** A prompt was sent and no turn has begun since. */
  prompted: boolean;
  sent: Sent[];
  /** UUIDs of the messages of recent turns. */
  done: string[];
  /** Number of sent frames, used for unique ids. */
  written: number;
  requests: Record<string, Request>;
  asks: Record<string, Ask>;
  /** Requests of Claude that were answered and whose answer it has not replayed. Absent in marks of earlier versions. */
  answered?: string[];
  messages: Record<string, Message>;
  tools: Record<string, Tool>;
  /** Running subagents by task id, with their tool call. */
  subagents: Record<string, { tool: string; background: boolean }>;
  /** Work that Claude reports as tasks, by task id. Absent in marks of earlier versions. */
  jobs?: Record<string, Job>;
  /** The task ids of Claude's last list of background tasks. */
  liveJobs?: string[];
  tasks: PlanTask[];
  /** Input tokens of the last request. */
  context?: number;
  /** The cost summed up by `result` frames. */
  spent: number;
  used: Usage;
  limited: boolean;
  lost: boolean;
  stderr: string[];
  /** A JSON frame was received, so plain text is unexpected. */
  framed: boolean;
  /** The output so far of a process that prints plain text. */
  plain?: string;
};

/** What the start decided about permissions: it cannot be changed in the running process. */
function startedRules({ mode, controls, ownRules }: LaunchOptions): Partial<State> {
  if (mode === "inherit") return {};
  const given = keepsAskRules(mode, controls) ? { asksByRule: true } : { lacksAskRules: true };
  return { pinned: true, ...((ownRules?.ask.length ?? 0) > 0 ? given : {}) };
}

export function initialState(options: LaunchOptions): State {
  return compact({
    resumes: options.fork ? undefined : options.resume,
    launch: options.uuid,
    ready: false,
    mode: nativeOf(options.mode, options.controls),
    asked: options.mode,
    controls: options.controls,
    ...startedRules(options),
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
 * The processing of one frame: the next state and the outputs so far. Handlers replace fields of `state` and never
 * mutate their values.
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
