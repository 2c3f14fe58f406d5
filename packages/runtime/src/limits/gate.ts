import type { EventData, Failure, SessionView } from "@gantry/protocol";
import {
  type Account,
  answered,
  type Breaker,
  isDue,
  lets,
  refuse,
  type Schedule,
  type Signal,
  tried,
  undecided,
} from "./breaker.ts";
import { resetTime } from "./reset-time.ts";

/** Breakers as records beside the logs. */
export const LIMITS = "limit";

/** Why no turn may start: what the session's log is told. */
export type Hold = EventData<"limit.reached">;

type Turn = { cost?: { usd: number } | undefined; usage?: unknown };

/** What a gate looks at. Nothing of it changes while a step of a session is under way. */
export type Surroundings = {
  now: number;
  schedule: Schedule;
  /** How long an agent may go on trying by itself against a limit. */
  retryMs: number;
  autoResume: boolean;
  /** `undefined`: limits are not kept for this agent. */
  account(view: SessionView): Account | undefined;
  breaker(key: string): Breaker | undefined;
  /** What the session may not spend any more. */
  overspent(view: SessionView): Hold | undefined;
  /** What to tell of budgets after a turn. */
  warnings(view: SessionView, turn: Turn): string[];
};

/**
 * The limits as one step of a session sees them. What the step changes is seen by the step alone, until it is durable
 * and `changes` are taken over by `Limits`; a step that is thrown away has changed nothing.
 */
export class Gate {
  /** Breakers as this step leaves them, by key. */
  readonly changes = new Map<string, Breaker>();
  /** The step may have put a session among those that wait, so that there is somebody to be woken. */
  parks = false;
  readonly #around: Surroundings;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  /** Are limits kept for this session? Otherwise a refusal is a failure like any other. */
  keeps(view: SessionView): boolean {
    return this.#around.account(view) !== undefined;
  }

  /** What keeps the session from starting a turn, if anything does. */
  hold(view: SessionView): Hold | undefined {
    const hold = this.#holdOf(view);
    this.parks ||= hold !== undefined && view.limit === undefined;
    return hold;
  }

  #holdOf(view: SessionView): Hold | undefined {
    const budget = this.#around.overspent(view);
    if (budget) return budget;
    const breaker = this.#breaker(view);
    if (breaker && !lets(breaker, view.id, this.#around.now)) return this.#told(breaker, view);
    // Whoever is not to go on by itself waits for a word, also when others have found that the limit is over.
    if (!view.limit || view.limit.source === "budget" || this.#resumes(view, breaker)) return undefined;
    return strip(view.limit);
  }

  /** A turn of the session starts. */
  started(view: SessionView): void {
    this.#change(view, (breaker) => tried(breaker, view.id, this.#around.now));
  }

  /**
   * The provider has answered the session. Only the word of the one that tries counts, or of the one that was refused
   * and went on: what another hears may be the rest of what it asked before.
   */
  answered(view: SessionView): void {
    const counts = ({ state, probe, first }: Breaker) => (state === "half_open" ? probe : first) === view.id;
    this.#change(view, (breaker) => (counts(breaker) ? answered(breaker, this.#around.now) : breaker));
  }

  /** The agent says that the limit is over. */
  cleared(view: SessionView): void {
    this.#change(view, (breaker) => answered(breaker, this.#around.now));
  }

  /** A turn of the session ended without telling whether the limit holds. */
  undecided(view: SessionView): void {
    this.#change(view, (breaker) => undecided(breaker, view.id, this.#around.now, this.#around.schedule));
  }

  /** The account refused a request of the session. `undefined`: limits are not kept for this agent. */
  refused(view: SessionView, signal: Signal): Hold | undefined {
    const { now, schedule } = this.#around;
    const account = this.#around.account(view);
    if (!account) return undefined;
    const breaker = refuse(this.#of(account.key), account, signal, view.id, now, schedule);
    this.changes.set(account.key, breaker);
    this.parks = true;
    return this.#told(breaker, view);
  }

  /** The refusal that a failure is, with the end of the limit where its words tell it. */
  signal(failed: Failure, source: Signal["source"], waitMs = 0): Signal {
    const { now, retryMs } = this.#around;
    // A wait that short is the agent's own habit and says nothing of the limit.
    const waits = waitMs > retryMs ? new Date(now + waitMs) : undefined;
    const end = failed.resetsAt ?? (resetTime(failed.message, new Date(now)) ?? waits)?.toISOString();
    return { source, ...(end ? { resetsAt: end } : {}) };
  }

  /**
   * Is there any sense in an agent's trying again by itself? Not when others have been refused before, not when this
   * session is the one that tries for all, and not when the next try comes too late.
   */
  mayRetry(view: SessionView, waitMs = 0): boolean {
    const { now, retryMs } = this.#around;
    const breaker = this.#breaker(view);
    if (waitMs > retryMs) return false;
    if (!breaker || breaker.state === "closed") return true;
    return breaker.state === "open" && breaker.first === view.id && !isDue(breaker, now);
  }

  warnings(view: SessionView, turn: Turn): string[] {
    return this.#around.warnings(view, turn);
  }

  #told(breaker: Breaker, view: SessionView): Hold {
    const { provider, account, window, resetsAt, source, id, nextTryAt } = breaker;
    const autoResume = this.#resumes(view, breaker);
    // While one tries, nobody knows when the others do.
    const next = breaker.state === "open" ? { nextTryAt } : {};
    return defined({ provider, account, window, resetsAt, source, limit: id, ...next, autoResume });
  }

  #resumes(view: SessionView, breaker: Breaker | undefined): boolean {
    return view.autoResume ?? breaker?.autoResume ?? this.#around.autoResume;
  }

  #change(view: SessionView, next: (breaker: Breaker) => Breaker): void {
    const breaker = this.#breaker(view);
    if (!breaker) return;
    const after = next(breaker);
    if (after !== breaker) this.changes.set(breaker.key, after);
  }

  #breaker(view: SessionView): Breaker | undefined {
    const account = this.#around.account(view);
    return account && this.#of(account.key);
  }

  #of(key: string): Breaker | undefined {
    return this.changes.get(key) ?? this.#around.breaker(key);
  }
}

function strip({ since: _, ...hold }: NonNullable<SessionView["limit"]>): Hold {
  return hold;
}

function defined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as T;
}
