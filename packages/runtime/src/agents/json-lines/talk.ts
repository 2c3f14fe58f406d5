import type { EventType, eventTable, Failure, FileChange, ToolKind, Usage } from "@gantry/protocol";
import type { z } from "zod";
import { type DecoderEvent, itemId, type LaunchOptions, type Output, type Step } from "../contract.ts";
import { compact } from "../fields.ts";
import { event, raw } from "./outputs.ts";
import type { PlanEntry } from "./reading/plan.ts";

/** A text that is being streamed. It is dropped as soon as it is whole. */
export type OpenText = { item: string; channel: "text" | "reasoning"; text: string; parent?: string };

/** A tool call that has not ended: what its end will need. */
export type OpenTool = {
  item: string;
  name: string;
  kind: ToolKind;
  /** The shell command that it runs, as far as a question about it needs it. */
  command?: string;
  changes?: FileChange[];
  plan?: PlanEntry[];
  denied?: boolean;
  /** Its input is known in full. */
  told?: boolean;
  /** A fingerprint of its input. */
  input?: string;
  /** How much of its output was shown, and a fingerprint of that. */
  shown?: { length: number; print: string };
};

/** All that decoding remembers from one frame to the next: a plain JSON value. Channels add fields of their own. */
export type Talk = {
  /** Different for each process: native ids are often unique only within one. */
  prefix: string;
  /** The message that the process was started with, until the agent has it. */
  message?: string;
  model?: string;
  handle?: string;
  turn: "none" | "running" | "over";
  turns: number;
  /** The agent said or did something in this turn. */
  worked: boolean;
  /** Counts texts that have no id of their own. */
  count: number;
  texts: Record<string, OpenText>;
  /** Texts of this turn that are whole, the newest last. */
  done: string[];
  tools: Record<string, OpenTool>;
  usage?: Usage;
  /** What went wrong last and was not overcome yet. */
  failure?: Failure;
  /** The last lines of stderr: they explain an end without a word. */
  stderr: string[];
  lost: boolean;
  /** A JSON line was seen, so a line of plain text is out of place. */
  framed: boolean;
  /** The answer so far of a process that prints plain text. */
  plain?: string;
};

export function initialTalk(options: LaunchOptions): Talk {
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
  } as const) as unknown as Talk;
}

/**
 * One frame on its way through a decoder: the state as it becomes, and what is said so far. Handlers set fields of
 * `state` and never change what is inside them, so the state that was handed in stays as it was.
 */
export class Pass<State extends Talk = Talk> {
  readonly state: State;
  readonly channel: string;
  readonly out: Output[] = [];

  constructor(state: State, channel: string) {
    this.state = { ...state };
    this.channel = channel;
  }

  say(...outputs: Output[]): void {
    this.out.push(...outputs);
  }

  event<T extends DecoderEvent & EventType>(type: T, data: z.input<(typeof eventTable)[T]>): void {
    this.out.push(event(type, data));
  }

  /** An item's id from the agent's own, which may come again in another process or turn. */
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
