import {
  type Delta,
  type DeltaChannel,
  type Draft,
  draft,
  type Envelope,
  type EventType,
  type eventTable,
  foldSession,
  type IdKind,
  type LiveFrame,
  type Offer,
  type OpenItem,
  type QueuedMessage,
  type SessionView,
  saidOnce,
  type Usage,
} from "@gantry/protocol";
import type { z } from "zod";
import type { AgentCommand } from "../../agents/contract.ts";
import type { Gate } from "../../limits/gate.ts";

/** What the engine must know from outside; nothing in it reads a clock or rolls a die by itself. */
export type Context = {
  now(): string;
  id(kind: IdKind): string;
  /** Facts of the session's agent. */
  agent: {
    id: string;
    name: string;
    steer: "inline" | "queue";
    provider: string;
    edits: boolean;
    /** The command that logs it in, where there is one. */
    loginOffer?: () => Offer | undefined;
  };
  queueLimit: number;
  /** The limits of the agent's account, and budgets. Without it turns start as they like. */
  gate?: Gate;
  /** The messages that the running turn was given, as they were sent. */
  turnMessages?: (view: SessionView) => QueuedMessage[];
  /** May a turn that a limit cut off be gone on with after it? */
  goOn?: boolean;
  /** What tokens of a model cost by the list, in US dollars; `undefined` when nobody knows. */
  price?: (model: string, usage: Usage) => number | undefined;
};

/** What the runner is to do after the events are on disk, in this order. */
export type Effect =
  | { type: "command"; command: AgentCommand }
  /** End the process and do not wait for it to say anything more. */
  | { type: "stop"; reason: StopReason }
  /** Carry out the handoff that the view holds as `handingTo`: nothing runs any more. */
  | { type: "handoff" }
  /** Start the process again, after the native conversation could not be resumed. */
  | { type: "restart"; how: "retry" | "rebuild" | "new" };

/** Why a process ended on our side. All but `deleted` leave the session resumable. */
export type StopReason =
  | "idle"
  | "closed"
  | "deadline"
  | "interrupted"
  | "shutdown"
  | "deleted"
  | "lost"
  | "unopened"
  | "login"
  | "handoff"
  | "settings";

export type OpenItems = ReadonlyMap<string, OpenItem>;

/** Texts of tool output are shown from their end; no more of it is held in memory than this. */
const OUTPUT_KEPT = 256 * 1024;

/**
 * One step of a session: starts from a view and the open items, takes events one by one and folds them in, so that
 * each decision sees the one before it. Throw the transition away and nothing has happened.
 */
export class SessionStep {
  view: SessionView;
  readonly open: Map<string, OpenItem>;
  /** Durable events and live frames in the order in which they are to be told. */
  readonly out: (Envelope | LiveFrame)[] = [];
  readonly effects: Effect[] = [];
  /** Items that ended in this step and in the turn that runs after it. */
  readonly nowClosed = new Set<string>();
  /** A turn began in this step: what ended in the one before no longer counts. */
  newTurn = false;
  readonly context: Context;
  /** What is decided in one step happens at one time. */
  readonly #at: string;
  readonly #closed: ReadonlySet<string>;

  constructor(view: SessionView, open: OpenItems, closed: ReadonlySet<string>, context: Context) {
    this.view = view;
    this.open = new Map(open);
    this.#closed = closed;
    this.#at = context.now();
    this.context = context;
  }

  hasClosed(item: string): boolean {
    return this.nowClosed.has(item) || (!this.newTurn && this.#closed.has(item));
  }

  /** Was anything said or done in the turn that runs? */
  get worked(): boolean {
    return this.open.size > 0 || this.nowClosed.size > 0 || (!this.newTurn && this.#closed.size > 0);
  }

  get events(): Envelope[] {
    return this.out.filter((entry): entry is Envelope => "seq" in entry);
  }

  emit<T extends EventType>(
    type: T,
    data: z.input<(typeof eventTable)[T]>,
    more: { ext?: Record<string, unknown>; synthetic?: boolean; turn?: string } = {},
  ): void {
    this.record(draft(type, data, { turn: more.turn ?? this.view.turn?.id, ...optional(more) }) as unknown as Draft);
  }

  /**
   * Events from outside keep their own marks; they belong to the turn that runs. What an agent goes without is told
   * once, however often its process is started.
   */
  record(event: Draft): void {
    if (isNotice(event) && saidOnce(event.data.kind) && this.view.withheld?.includes(event.data.text)) return;
    const envelope = {
      v: 1,
      session: this.view.id,
      seq: this.view.lastSeq + 1,
      at: this.#at,
      ...event,
    } as Envelope;
    if (envelope.turn === undefined) delete envelope.turn;
    if (envelope.type === "turn.started") {
      this.newTurn = true;
      this.nowClosed.clear();
    }
    this.out.push(envelope);
    this.view = foldSession(this.view, envelope);
  }

  live(frame: LiveFrame): void {
    this.out.push(frame);
  }

  effect(effect: Effect): void {
    this.effects.push(effect);
  }

  delta(item: string, channel: DeltaChannel, text: string): void {
    if (text === "") return;
    const key = `${item} ${channel}`;
    const before = this.open.get(key) ?? { item, channel, text: "", length: 0 };
    const whole = before.text + text;
    const kept = channel === "output" && whole.length > OUTPUT_KEPT ? whole.slice(-OUTPUT_KEPT) : whole;
    this.open.set(key, { item, channel, text: kept, length: before.length + text.length });
    const last = this.out.at(-1);
    if (last && isDelta(last) && last.item === item && last.channel === channel) {
      this.out[this.out.length - 1] = { ...last, text: last.text + text };
      return;
    }
    this.out.push({ type: "delta", session: this.view.id, item, channel, offset: before.length, text });
  }

  /** The item is whole now: what was streamed of it is no longer open, and it cannot start again in this turn. */
  settle(item: string): void {
    this.nowClosed.add(item);
    for (const channel of ["text", "reasoning", "input", "output"]) this.open.delete(`${item} ${channel}`);
  }
}

function isDelta(entry: Envelope | LiveFrame): entry is Delta {
  return entry.type === "delta";
}

function optional(more: { ext?: Record<string, unknown>; synthetic?: boolean }) {
  return {
    ...(more.ext ? { ext: more.ext } : {}),
    ...(more.synthetic ? { synthetic: true } : {}),
  };
}

function isNotice(event: Draft): event is Draft<"notice"> {
  return event.type === "notice";
}
