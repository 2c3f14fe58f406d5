import { type EventData, type Failure, isOverload, type SessionView } from "@gantry/protocol";
import {
  type Account,
  type Breaker,
  closeBreaker,
  isDue,
  lets,
  offerProbe,
  postponeTry,
  refuse,
  type Schedule,
  type Signal,
  startTry,
} from "./breaker/breaker.ts";
import { resetTime } from "./breaker/reset-time.ts";

/** The kind of the records that store breakers. */
export const LIMITS = "limit";

export const OVERLOADED = "The provider is overloaded. The account has reached no limit.";

/** Why no turn may start, as published in the session's log. */
export type Hold = EventData<"limit.reached">;

type Turn = { cost?: { usd: number } | undefined; usage?: unknown };

/** The inputs of a gate. They do not change during a step of a session. */
export type Surroundings = {
  now: number;
  schedule: Schedule;
  /** How long an agent's own retries against a limit may continue. */
  retryMs: number;
  autoResume: boolean;
  /** `undefined`: limits are not tracked for this agent. */
  account(view: SessionView): Account | undefined;
  breaker(key: string): Breaker | undefined;
  /** The exhausted budget of the session, if any. */
  overspent(view: SessionView): Hold | undefined;
  /** Budget notices after a turn. */
  warnings(view: SessionView, turn: Turn): string[];
};

/**
 * The limits as one step of a session sees them. Changes of the step are visible to the step alone until they are durable
 * and `Limits` takes over `changes`. A discarded step has changed nothing.
 */
export class LimitGate {
  /** The breakers after this step, by key. */
  readonly changes = new Map<string, Breaker>();
  /** The step may have added a waiting session, so a timer may be needed. */
  parks = false;
  /** The session whose person asked for a probe in this step. */
  #requested: string | undefined;
  readonly #around: Surroundings;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  /** Whether limits are tracked for this session. If not, a refusal is an ordinary failure. */
  keeps(view: SessionView): boolean {
    return this.#around.account(view) !== undefined;
  }

  /** The limit that holds the session, if any. */
  hold(view: SessionView): Hold | undefined {
    const hold = this.#holdOf(view);
    this.parks ||= hold !== undefined && view.limit === undefined;
    return hold;
  }

  #holdOf(view: SessionView): Hold | undefined {
    const budget = this.#around.overspent(view);
    if (budget) return budget;
    const breaker = this.#breaker(view);
    if (breaker && !lets(breaker, view.id, this.#around.now)) return this.#holdFor(breaker, view);
    // A session without automatic resume waits for a person, even after the limit has ended.
    if (!view.limit || view.limit.source === "budget" || this.#resumes(view, breaker)) return undefined;
    if (this.#requested === view.id) return undefined;
    return strip(view.limit);
  }

  /**
   * A person sends a message to an idle session. If no end of the limit is known, the next message of the session is the
   * probe, even if the session does not resume automatically.
   */
  offerProbe(view: SessionView): void {
    if (this.#around.overspent(view)) return;
    const breaker = this.#breaker(view);
    this.#change(view, (before) => offerProbe(before, this.#around.now));
    if (!breaker || lets(this.#of(breaker.key) ?? breaker, view.id, this.#around.now)) this.#requested = view.id;
  }

  /** A turn of the session starts. */
  started(view: SessionView): void {
    this.#change(view, (breaker) => startTry(breaker, view.id, this.#around.now));
  }

  /**
   * The provider has answered the session. Only the probe counts, or the refused session that continued: an answer to
   * another session may belong to an earlier request.
   */
  answered(view: SessionView): void {
    const counts = ({ state, probe, first }: Breaker) => (state === "half_open" ? probe : first) === view.id;
    this.#change(view, (breaker) => (counts(breaker) ? closeBreaker(breaker, this.#around.now) : breaker));
  }

  /** The agent reports that the limit has ended. */
  cleared(view: SessionView): void {
    this.#change(view, (breaker) => closeBreaker(breaker, this.#around.now));
  }

  /** A turn of the session ended without a signal about the limit. */
  undecided(view: SessionView): void {
    this.#change(view, (breaker) => postponeTry(breaker, view.id, this.#around.now, this.#around.schedule));
  }

  /** The account refused a request of the session. `undefined`: limits are not tracked for this agent. */
  refused(view: SessionView, signal: Signal): Hold | undefined {
    const { now, schedule } = this.#around;
    const account = this.#around.account(view);
    if (!account) return undefined;
    const breaker = refuse(this.#of(account.key), account, signal, view.id, now, schedule);
    this.changes.set(account.key, breaker);
    this.parks = true;
    return this.#holdFor(breaker, view);
  }

  /** The rate-limit signal of a failure, with the reset time if its text has one. */
  signal(failed: Failure, source: Signal["source"], waitMs = 0): Signal {
    const { now, retryMs } = this.#around;
    // A wait that short is the agent's own retry delay, not the reset time.
    const waits = waitMs > retryMs ? new Date(now + waitMs) : undefined;
    const end = failed.resetsAt ?? (resetTime(failed.message, new Date(now)) ?? waits)?.toISOString();
    return { source, ...(end ? { resetsAt: end } : {}), ...(isOverload(failed) ? { overload: true } : {}) };
  }

  /**
   * Whether the agent's own retries may continue. No if other sessions were refused before, if this session is the probe, or if
   * the next retry is too late.
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

  #holdFor(breaker: Breaker, view: SessionView): Hold {
    const { provider, account, window, resetsAt, source, id, nextTryAt } = breaker;
    const autoResume = this.#resumes(view, breaker);
    // During a probe the next try of the others is unknown.
    const next = breaker.state === "open" ? { nextTryAt } : {};
    const text = breaker.overload ? OVERLOADED : undefined;
    return dropUndefined({ provider, account, window, resetsAt, source, limit: id, ...next, text, autoResume });
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

function dropUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as T;
}
