import {
  type Envelope,
  foldSession,
  type IdKind,
  idPrefixes,
  type LiveFrame,
  pairs,
  type SessionView,
} from "@gantry/protocol";
import { type Context, type Effect, type OpenItems, SessionStep } from "./step.ts";

/** An engine with a counting clock and counting ids in place of the runner, for tests. */
export class EngineBench {
  view: SessionView;
  open: OpenItems = new Map();
  readonly events: Envelope[];
  readonly told: (Envelope | LiveFrame)[] = [];
  effects: Effect[] = [];
  #closed = new Set<string>();
  readonly context: Context;

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
    this.view = foldSession(undefined, first);
  }

  /** One step; its effects are in `effects` afterwards. */
  do<T>(action: (step: SessionStep) => T): T {
    const step = new SessionStep(this.view, this.open, this.#closed, this.context);
    const result = action(step);
    this.view = step.view;
    this.open = step.open;
    this.effects = step.effects;
    if (step.newTurn) this.#closed.clear();
    for (const item of step.nowClosed) this.#closed.add(item);
    this.events.push(...step.events);
    this.told.push(...step.out);
    return result;
  }

  types(): string[] {
    return this.events.map((event) => event.type);
  }
}

/** What is wrong with a log by laws 1 and 3; empty when nothing is. `open` are the starts that have no end. */
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
