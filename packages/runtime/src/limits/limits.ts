import { GantryError, type LimitRow, type SessionView } from "@gantry/protocol";
import type { Config } from "../config.ts";
import type { Records } from "../log/port.ts";
import { type Account, type Breaker, isDue, postponeTry, rearmBreaker, requestTry } from "./breaker/breaker.ts";
import { budgetWarnings, findOverspent, type Kin, type Spent, startOfDay } from "./budgets.ts";
import { LimitGate } from "./gate.ts";
import { ruleFor } from "./handoff-rule.ts";
import type { LimitedSessions, LimitKeeper, LimitService } from "./port.ts";
import { budgetRows, limitRow } from "./rows.ts";

export type LimitDeps = {
  records: Records<Breaker>;
  config: Pick<Config, "limits" | "budgets">;
  /** Wall-clock time. It may jump. */
  now: () => number;
  account: (view: SessionView) => Account;
  sessions: () => LimitedSessions;
  /** The cost since a moment. */
  spentSince: (at: Date) => Spent;
  /** Sessions that share a budget: all that agents spawned from the same root. `undefined`: the session is alone. */
  kin?: (view: SessionView) => Kin | undefined;
  log: (line: string) => void;
};

/** Upper bound of a timer, so that sleep and clock changes of the machine are noticed. */
const LOOK_MS = 30_000;
const SOON_MS = 20;

/**
 * The limits of all accounts and the sessions that wait for them. Breakers live in memory and as records. Each changes in
 * the transaction of the session step that found the change.
 */
export class Limits implements LimitKeeper, LimitService {
  readonly #deps: LimitDeps;
  readonly #breakers = new Map<string, Breaker>();
  /** Accounts whose sessions resume one after the other. */
  readonly #releasing = new Map<string, NodeJS.Timeout>();
  /** Sessions that a handoff rule was tried with, and since when they had waited. */
  readonly #handed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(deps: LimitDeps) {
    this.#deps = deps;
    for (const breaker of deps.records.list()) this.#breakers.set(breaker.key, breaker);
  }

  gate(): LimitGate {
    const { config, now } = this.#deps;
    const { enabled, autoResume, retrySeconds } = config.limits;
    const at = now();
    const today = () => this.#today(at);
    return new LimitGate({
      now: at,
      schedule: config.limits,
      retryMs: retrySeconds * 1000,
      autoResume,
      account: (view) => (enabled ? this.#deps.account(view) : undefined),
      breaker: (key) => this.#breakers.get(key),
      overspent: (view) => findOverspent(view, config.budgets, today, new Date(at), this.#deps.kin?.(view)),
      warnings: (view, turn) => budgetWarnings(view, turn, config.budgets, today),
    });
  }

  take(gate: LimitGate): void {
    for (const [key, breaker] of gate.changes) {
      const before = this.#breakers.get(key);
      this.#breakers.set(key, breaker);
      if (before?.state !== breaker.state || before.nextTryAt !== breaker.nextTryAt) this.#publishChange(breaker);
    }
    // A breaker without waiting sessions has no timer; a session that joins it needs one.
    if (gate.parks) setImmediate(() => this.#look());
  }

  restore(): void {
    this.#look();
  }

  changed(): void {
    setImmediate(() => {
      if (this.#stopped) return;
      for (const { id } of this.#deps.sessions().parked()) this.#deps.sessions().wake(id);
      this.restore();
    });
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    for (const timer of this.#releasing.values()) clearTimeout(timer);
  }

  list(): LimitRow[] {
    const held = this.#deps.sessions().parked();
    const open = [...this.#breakers.values()].filter((breaker) => this.#holds(breaker));
    const rows = open.map((breaker) => this.#row(breaker, held));
    return [...rows, ...budgetRows(held)].sort((a, b) => a.since.localeCompare(b.since));
  }

  resume(id: string): { limits: LimitRow[]; tried?: string } {
    const breaker = this.#find(id);
    // Applies to all waiting sessions except those with their own setting.
    this.#put({ ...requestTry(breaker, this.#deps.now()), autoResume: true });
    const next = this.#listWaiting(breaker.key).find(({ autoResume }) => autoResume !== false);
    if (next) this.#deps.sessions().wake(next.id, true);
    return { limits: this.list(), ...(next ? { tried: next.id } : {}) };
  }

  patch(id: string, { autoResume }: { autoResume: boolean }): LimitRow {
    const breaker = { ...this.#find(id), autoResume };
    this.#put(breaker);
    this.changed();
    return this.#row(breaker, this.#deps.sessions().parked());
  }

  resumeSession(session: string): void {
    const view = this.#deps.sessions().view(session);
    if (!view?.limit) return;
    const budget = findOverspent(
      view,
      this.#deps.config.budgets,
      () => this.#today(this.#deps.now()),
      new Date(this.#deps.now()),
      this.#deps.kin?.(view),
    );
    if (budget) throw new GantryError("conflict", `${session} stays on hold. ${budget.text}`);
    const breaker = this.#breakers.get(this.#deps.account(view).key);
    if (breaker) this.#put(requestTry(breaker, this.#deps.now()));
    this.#deps.sessions().wake(session, true);
  }

  #find(id: string): Breaker {
    const breaker = [...this.#breakers.values()].find((one) => one.id === id && this.#holds(one));
    if (breaker) return breaker;
    const budget = budgetRows(this.#deps.sessions().parked()).find((row) => row.id === id);
    if (budget) throw new GantryError("conflict", `A budget cannot be retried. ${budget.text ?? ""}`);
    throw new GantryError("no_such_limit", `There is no active limit ${id}.`, {
      remedy: "`gantry limits` lists those that do.",
    });
  }

  #holds(breaker: Breaker | undefined): boolean {
    return this.#deps.config.limits.enabled && breaker !== undefined && breaker.state !== "closed";
  }

  #put(breaker: Breaker): void {
    this.#breakers.set(breaker.key, breaker);
    this.#deps.records.put(breaker.id, breaker);
  }

  /** A breaker changed. Wakes no session synchronously, because the step that caused it is still being published. */
  #publishChange(breaker: Breaker): void {
    const { provider, account, state, nextTryAt, refusals } = breaker;
    const owner = `${provider}${account ? ` (${account})` : ""}`;
    if (state === "open") this.#deps.log(`limit of ${owner} reached, tried again at ${nextTryAt} (${refusals})`);
    if (state === "closed") this.#deps.log(`limit of ${owner} has ended`);
    setImmediate(() => {
      if (this.#stopped) return;
      if (state === "closed") return this.#release(breaker.key);
      // Waiting sessions get the time of the next try; a probe does not change that.
      if (state === "open") for (const { id } of this.#listWaiting(breaker.key)) this.#deps.sessions().wake(id);
      this.#look();
    });
  }

  /** The limit has ended: resumes waiting sessions one after the other. */
  #release(key: string): void {
    if (this.#stopped || this.#releasing.has(key)) return;
    const breaker = this.#breakers.get(key);
    if (this.#holds(breaker)) return;
    const [next, ...rest] = this.#listWaiting(key).filter((view) => this.#resumes(view, breaker));
    if (!next) return;
    this.#deps.sessions().wake(next.id);
    if (rest.length === 0) return;
    const releaseAgain = () => {
      this.#releasing.delete(key);
      this.#release(key);
    };
    const ms = Math.max(SOON_MS, this.#deps.config.limits.staggerSeconds * 1000);
    this.#releasing.set(key, setTimeout(releaseAgain, ms).unref());
  }

  /** Hands sessions over by rule. A session whose handoff failed stays until its limit changes. */
  #handOn(): void {
    const { config, sessions, now, log } = this.#deps;
    for (const view of config.limits.handoff.length > 0 ? sessions().parked() : []) {
      const rule = ruleFor(view, config.limits.handoff, now(), ({ to, model }) => this.#isHeld(view, to, model));
      const mark = `${view.id} ${view.limit?.since}`;
      if (!rule || this.#handed.has(mark)) continue;
      this.#handed.add(mark);
      const { to: agent, model } = rule;
      const handing = sessions().handOn(view.id, { agent, ...(model ? { model } : {}) });
      handing.catch((error: Error) => log(`${view.id} was not handed to ${agent}: ${error.message}`));
    }
  }

  #isHeld(view: SessionView, agent: string, model: string | undefined): boolean {
    const { key } = this.#deps.account({ ...view, agent, model, servedModel: undefined });
    return this.#holds(this.#breakers.get(key));
  }

  /** Acts on elapsed time. Runs at least every 30 s while sessions wait. */
  #look(): void {
    if (this.#stopped) return;
    clearTimeout(this.#timer);
    const { now, sessions } = this.#deps;
    for (const breaker of this.#breakers.values()) this.#settle(breaker);
    this.#releaseMoved();
    this.#handOn();
    for (const breaker of this.#breakers.values()) if (isDue(breaker, now())) this.#try(breaker);
    for (const { id, limit } of sessions().parked()) if (limit?.source === "budget") sessions().wake(id);
    const times = [...this.#breakers.values()]
      .filter((breaker) => this.#holds(breaker) && this.#isAwaited(breaker))
      .map(({ state, nextTryAt }) => (state === "half_open" ? now() + LOOK_MS : Date.parse(nextTryAt)));
    if (
      sessions()
        .parked()
        .some((view) => this.#needsLook(view))
    )
      times.push(now() + LOOK_MS);
    if (this.#deps.config.limits.handoff.some(({ after }) => after !== "reached") && times.length > 0)
      times.push(now() + LOOK_MS);
    if (times.length === 0) return;
    const ms = Math.max(SOON_MS, Math.min(LOOK_MS, ...times.map((time) => time - now())));
    this.#timer = setTimeout(() => this.#look(), ms).unref();
  }

  /** A held session whose account has changed (a login, a key, a profile) waits for a breaker that no longer holds it. */
  #releaseMoved(): void {
    for (const view of this.#deps.sessions().parked()) {
      if (view.limit?.source === "budget") continue;
      const { key } = this.#deps.account(view);
      if (!this.#holds(this.#breakers.get(key))) this.#release(key);
    }
  }

  /** Repairs states that a restart, a clock change or a deleted session left without a timer. */
  #settle(breaker: Breaker): void {
    const { now, config, sessions } = this.#deps;
    const { probe } = breaker;
    const gone = probe !== undefined && sessions().view(probe)?.turn === undefined;
    const next = gone ? postponeTry(breaker, probe, now(), config.limits) : rearmBreaker(breaker, now(), config.limits);
    if (next !== breaker) this.#put(next);
  }

  /** Starts one session as the probe; the others follow if it succeeds. */
  #try(breaker: Breaker): void {
    const { sessions, now } = this.#deps;
    for (const view of this.#listWaiting(breaker.key)) {
      const current = this.#breakers.get(breaker.key);
      if (!current || !isDue(current, now())) return;
      if (this.#resumes(view, current)) sessions().wake(view.id);
    }
  }

  /** Budgets and accounts can change without a signal. */
  #needsLook(view: SessionView): boolean {
    return view.limit?.source === "budget" || this.#resumes(view, this.#breakers.get(this.#deps.account(view).key));
  }

  /** Whether any waiting session resumes automatically. */
  #isAwaited(breaker: Breaker): boolean {
    return breaker.state === "half_open" || this.#listWaiting(breaker.key).some((view) => this.#resumes(view, breaker));
  }

  /** Sessions that wait for the account, in the order in which they resume. */
  #listWaiting(key: string): SessionView[] {
    const first = this.#breakers.get(key)?.first;
    return this.#deps
      .sessions()
      .parked()
      .filter((view) => view.limit?.source !== "budget" && this.#deps.account(view).key === key)
      .sort((a, b) => rank(a, first) - rank(b, first) || (a.limit?.since ?? "").localeCompare(b.limit?.since ?? ""));
  }

  #resumes(view: SessionView, breaker: Breaker | undefined): boolean {
    return view.autoResume ?? breaker?.autoResume ?? this.#deps.config.limits.autoResume;
  }

  #row(breaker: Breaker, held: readonly SessionView[]): LimitRow {
    const sessions = this.#listWaiting(breaker.key).filter(({ id }) => held.some((view) => view.id === id));
    const autoResume = breaker.autoResume ?? this.#deps.config.limits.autoResume;
    return limitRow(breaker, sessions, autoResume);
  }

  #today(at: number): Spent {
    return this.#deps.spentSince(startOfDay(new Date(at)));
  }
}

/** Sessions without queued messages only need their state updated. */
function rank({ id, queue }: SessionView, first: string | undefined): number {
  if (queue.length === 0) return 2;
  return id === first ? 0 : 1;
}
