import type { EventType, eventTable, Failure, FileChange, ToolKind, Usage } from "@gantry/protocol";
import type { z } from "zod";
import { type DecoderEvent, itemId, type LaunchOptions, type Output, type Step } from "../contract.ts";
import { compact } from "../fields.ts";
import { event, raw } from "./outputs.ts";
import type { PlanEntry } from "./reading/plan.ts";

/** A text that is being streamed; dropped when complete. */
export type OpenText = { item: string; channel: "text" | "reasoning"; text: string; parent?: string };

/** An open tool call, with the data needed for its end. */
export type OpenTool = {
  item: string;
  name: string;
  kind: ToolKind;
  /** The shell command, for permission requests. */
  command?: string;
  changes?: FileChange[];
  plan?: PlanEntry[];
  denied?: boolean;
  /** The complete input is known. */
  hasInput?: boolean;
  input?: string;
  /** Length and fingerprint of the published output. */
  shown?: { length: number; print: string };
};

/**
 * The decoder state shared by all JSON lines channels, which add fields. Plain JSON, stored in marks, so field names
 * are fixed.
 */
export type DecoderState = {
  /** Unique per process, because native ids often are not. */
  prefix: string;
  /** The message that started the process, until the agent accepts it. */
  message?: string;
  model?: string;
  handle?: string;
  turn: "none" | "running" | "over";
  turns: number;
  /** The agent produced output or ran a tool in this turn. */
  worked: boolean;
  /** Number of texts without a native id. */
  count: number;
  texts: Record<string, OpenText>;
  /** Completed texts of this turn, newest last. */
  done: string[];
  tools: Record<string, OpenTool>;
  usage?: Usage;
  /** The last failure, until the agent recovers. */
  failure?: Failure;
  /** The last lines of stderr, which explain an unexpected exit. */
  stderr: string[];
  lost: boolean;
  /** A JSON line was received, so plain text is unexpected. */
  framed: boolean;
  /** The output so far of a process that prints plain text. */
  plain?: string;
};

export function initialDecoderState(options: LaunchOptions): DecoderState {
  return compact({
    prefix: options.uuid.slice(0, 8),
    message: options.prompt?.message,
    model: undefined,
    turn: "none",
    turns: 0,
    worked: false,
    count: 0,
    texts: {},
    done: [],
    tools: {},
    stderr: [],
    lost: false,
    framed: false,
  } as const) as unknown as DecoderState;
}

/**
 * The processing of one frame: the next state and the outputs so far. Handlers replace fields of `state` and never
 * mutate their values, so the previous state stays unchanged.
 */
export class Pass<State extends DecoderState = DecoderState> {
  readonly state: State;
  readonly channel: string;
  readonly out: Output[] = [];

  constructor(state: State, channel: string) {
    this.state = { ...state };
    this.channel = channel;
  }

  emit(...outputs: Output[]): void {
    this.out.push(...outputs);
  }

  event<T extends DecoderEvent & EventType>(type: T, data: z.input<(typeof eventTable)[T]>): void {
    this.out.push(event(type, data));
  }

  /** The item id for a native id, unique across processes and turns. */
  item(native: string): string {
    const { prefix, turns } = this.state;
    return itemId(turns > 1 ? `${prefix}.${turns}.${native}` : `${prefix}.${native}`);
  }

  raw(frame: unknown, reason: string): void {
    this.out.push(raw(this.channel, frame, reason));
  }

  notice(kind: string, severity: "info" | "warning" | "error", text: string): void {
    this.event("notice", { kind, severity, text });
  }

  step(): Step<State> {
    return [compact(this.state), this.out];
  }
}
