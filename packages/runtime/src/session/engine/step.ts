import {
  type Delta,
  type DeltaChannel,
  type Draft,
  draft,
  type Envelope,
  type EventType,
  type eventTable,
  type Failure,
  foldSession,
  isPublishedOnce,
  type LiveFrame,
  type SessionView,
} from "@gantry/protocol";
import type { z } from "zod";
import type { AgentCommand, Outbound, Output } from "../../agents/contract.ts";
import { tokenStreams } from "../../framing/redact.ts";
import type {
  CommandResult,
  Conversation,
  Deadlines,
  Effect,
  EngineContext,
  EngineState,
  FirstOutput,
  LastInjection,
  StreamingItem,
} from "./state.ts";

/** What happened in a step, for deadlines and for the actor. */
export type StepSignals = {
  /** The agent printed something. */
  received: boolean;
  /** The agent showed that it works on the turn. */
  progress: boolean;
  prompted: boolean;
  /** The preface of the conversation was sent. */
  prefaced: boolean;
  loginChosen: boolean;
  /** A part of the agent's output may be missing. */
  outputLost: boolean;
  /** A line that should be a message could not be read. */
  unread: boolean;
  /** The deadline of a task that was asked to stop has passed. */
  taskOverdue: boolean;
  injected?: LastInjection;
  retry?: Failure;
};

/** Tool output is shown from its end; no more than this is held in memory. */
const MAX_OPEN_OUTPUT = 256 * 1024;
/** Items of an ended turn whose late repetition is recognised; without a limit a long turn would stay in memory. */
const MAX_CLOSED = 1000;
const CHANNELS: readonly DeltaChannel[] = ["text", "reasoning", "input", "output"];

/**
 * One step of a session: copies the state, then applies events, frames and commands one by one, so that each decision
 * sees the ones before it. The caller commits all of it at once and takes `end()`, or drops the step with no effect.
 */
export class SessionStep {
  view: SessionView;
  readonly before: SessionView;
  readonly open: Map<string, StreamingItem>;
  conversation: Conversation | undefined;
  deadlines: Deadlines;
  restartedTurn: string | undefined;
  firstOutput: FirstOutput | undefined;
  /** Durable events in order. */
  readonly events: Envelope[] = [];
  /** Durable events and live frames, in publication order. */
  readonly out: (Envelope | LiveFrame)[] = [];
  readonly effects: Effect[] = [];
  /** Frames for the agent's stdin, each with its place among the agent's own output. */
  readonly frames: (Outbound & { atOffset: number })[] = [];
  /** Keys of frames that the agent acknowledged. */
  readonly acks: string[] = [];
  readonly applied: Extract<Output, { kind: "applied" }>[] = [];
  /** The agent's answers to requests to give a message back. */
  readonly retracted: { message: string; ok: boolean }[] = [];
  readonly signals: StepSignals = {
    received: false,
    progress: false,
    prompted: false,
    prefaced: false,
    loginChosen: false,
    outputLost: false,
    unread: false,
    taskOverdue: false,
  };
  /** The step decided something that replaying the spool would not reproduce, so the mark must be stored. */
  needsMark = false;
  /** The process has ended or is about to: nothing more is sent to it. */
  stopsSending = false;
  readonly context: EngineContext;
  /** The time of every event in this step. */
  readonly at: string;
  #newTurn = false;
  readonly #closedNow = new Set<string>();
  readonly #closed: ReadonlySet<string>;

  constructor(state: EngineState, context: EngineContext) {
    this.view = state.view;
    this.before = state.view;
    this.open = new Map(state.open);
    this.conversation = state.conversation && { ...state.conversation };
    this.deadlines = state.deadlines;
    this.restartedTurn = state.restartedTurn;
    this.firstOutput = state.firstOutput;
    this.#closed = state.closed;
    this.at = context.now();
    this.context = context;
  }

  /** The state after the step. Call it once, after the commit: it reuses the set of closed items. */
  end(): EngineState {
    const { view, open, conversation, deadlines, restartedTurn, firstOutput } = this;
    const closed = this.#newTurn ? new Set<string>() : (this.#closed as Set<string>);
    for (const item of this.#closedNow) closed.add(item);
    if (!view.turn && closed.size > MAX_CLOSED)
      for (const item of [...closed].slice(0, -MAX_CLOSED)) closed.delete(item);
    return { view, open, closed, conversation, deadlines, restartedTurn, firstOutput };
  }

  hasClosed(item: string): boolean {
    return this.#closedNow.has(item) || (!this.#newTurn && this.#closed.has(item));
  }

  /** Has the running turn produced any item? */
  get hasWorked(): boolean {
    return this.open.size > 0 || this.#closedNow.size > 0 || (!this.#newTurn && this.#closed.size > 0);
  }

  get isReady(): boolean {
    return this.conversation?.ready === true;
  }

  emit<T extends EventType>(
    type: T,
    data: z.input<(typeof eventTable)[T]>,
    more: { ext?: Record<string, unknown>; synthetic?: boolean; turn?: string } = {},
  ): void {
    const turn = more.turn ?? this.view.turn?.id;
    const ext = more.ext ? { ext: more.ext } : {};
    const synthetic = more.synthetic ? { synthetic: true } : {};
    this.record(draft(type, data, { turn, ...ext, ...synthetic }) as unknown as Draft);
  }

  /** Appends an event unchanged. A notice of a kind that is shown once is dropped if the view holds its text already. */
  record(event: Draft): void {
    if (isNotice(event) && isPublishedOnce(event.data.kind) && this.view.withheld?.includes(event.data.text)) return;
    const envelope = { v: 1, session: this.view.id, seq: this.view.lastSeq + 1, at: this.at, ...event } as Envelope;
    if (envelope.turn === undefined) delete envelope.turn;
    if (envelope.type === "turn.started") {
      this.#newTurn = true;
      this.#closedNow.clear();
    }
    this.events.push(envelope);
    this.out.push(envelope);
    this.view = foldSession(this.view, envelope);
  }

  live(frame: LiveFrame): void {
    this.out.push(frame);
  }

  effect(effect: Effect): void {
    if (effect.type === "stop") this.stopsSending = true;
    this.effects.push(effect);
  }

  /**
   * Streams a piece of an open item, without tokens. A possible start of a token is held back until the next piece or the
   * end of the item.
   */
  delta(item: string, channel: DeltaChannel, text: string, parent?: string): void {
    if (text === "") return;
    const before = this.open.get(`${item} ${channel}`);
    const piece = tokenStreams.push(before?.text ?? "", before?.held ?? "", text);
    this.#publish({ item, channel, ...piece, parent });
  }

  /** Publishes what an open item held back, or `rest` instead, and returns the published text of the item. */
  flushDelta(item: string, channel: DeltaChannel, rest?: string): string | undefined {
    const before = this.open.get(`${item} ${channel}`);
    if (!before) return undefined;
    const text = rest ?? tokenStreams.end(before.text, before.held ?? "");
    this.#publish({ item, channel, text, held: "", parent: before.parent });
    return this.open.get(`${item} ${channel}`)?.text;
  }

  /** Consecutive pieces of one item become one live frame. */
  #publish({ item, channel, text, held, parent }: Omit<StreamingItem, "length" | "held"> & { held: string }): void {
    const key = `${item} ${channel}`;
    const before = this.open.get(key) ?? { item, channel, text: "", length: 0 };
    const whole = before.text + text;
    const shown = channel === "output" && whole.length > MAX_OPEN_OUTPUT ? whole.slice(-MAX_OPEN_OUTPUT) : whole;
    const length = before.length + text.length;
    const more = { ...(held === "" ? {} : { held }), ...(parent === undefined ? {} : { parent }) };
    this.open.set(key, { item, channel, text: shown, length, ...more });
    if (text === "") return;
    const last = this.out.at(-1);
    if (last && isDelta(last) && last.item === item && last.channel === channel) {
      this.out[this.out.length - 1] = { ...last, text: last.text + text };
      return;
    }
    this.out.push({ type: "delta", session: this.view.id, item, channel, offset: before.length, text });
  }

  /** The item is complete: it no longer streams, and it cannot start again in this turn. */
  closeItem(item: string): void {
    this.#closedNow.add(item);
    if (this.open.size === 0) return;
    for (const channel of CHANNELS) this.open.delete(`${item} ${channel}`);
  }

  /** Queues a frame for stdin. The decoder sees it too, as the agent will. */
  sendFrame(frame: Outbound): void {
    const { conversation } = this;
    if (!conversation || this.stopsSending) return;
    this.frames.push({ ...frame, atOffset: conversation.offset });
    [conversation.state] = conversation.channel.decode(conversation.state, { dir: "in", msg: frame.msg });
  }

  /** Encodes a command and queues its frames. `unsupported`: the channel has no such command, and the caller decides. */
  sendCommand(command: AgentCommand): CommandResult {
    const { conversation } = this;
    // A login is answered before the conversation is open.
    if (!conversation || this.stopsSending || (!conversation.ready && command.type !== "answer"))
      return "not connected";
    const frames = conversation.channel.encode(conversation.state, command);
    if (!frames) return "unsupported";
    for (const frame of frames) this.sendFrame(frame);
    return "sent";
  }
}

function isDelta(entry: Envelope | LiveFrame): entry is Delta {
  return entry.type === "delta";
}

function isNotice(event: Draft): event is Draft<"notice"> {
  return event.type === "notice";
}
