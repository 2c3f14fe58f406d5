import { backoffMs } from "@gantry/models/backoff";
import { GantryError, type NewSchedule, type PatchSchedule, type Schedule } from "@gantry/protocol";
import type { Config } from "../config.ts";
import type { Records, StoredEvent } from "../log/port.ts";
import { isIdle } from "../session/engine/queue.ts";
import { requestHash } from "../session/requests.ts";
import { Alarm } from "./alarm.ts";
import type { Clock } from "./clock.ts";
import { parseCron } from "./cron.ts";
import { type Delivered, type DeliveryDeps, deliver, goneBecause, isPassing, LATE_MS } from "./deliver.ts";
import type { ScheduleService } from "./handlers.ts";
import { nextOccurrence } from "./occurrence.ts";
import {
  advanceSchedule,
  DONE,
  type Due,
  disableSchedule,
  dueOf,
  iso,
  KIND,
  present,
  type Stored,
  skipRun,
} from "./stored.ts";

export type SchedulesDeps = DeliveryDeps & {
  config: Config;
  clock: Clock;
  id: () => string;
  log: (line: string) => void;
  /** A word in a session's log. */
  note(session: string, notice: { kind: string; severity: "info" | "warning"; text: string }): void;
  /** Throws if the message could not be sent: a missing agent, folder or attachment. */
  check(body: Pick<NewSchedule, "session" | "create" | "text" | "attachments">): void;
};

const RETRY_MS = 60_000;
const LONGEST_RETRY_MS = 900_000;
const GIVE_UP_MS = 86_400_000;
/** Number of completed schedules that stay listed. */
const MOST_DONE = 200;

/**
 * Sends messages at their time. A run is exactly one message: its id is derived from the schedule and the time, and the
 * state of the schedule is stored in the same transaction. Missed times are made up for by one run, not one by one.
 */
export class Schedules implements ScheduleService {
  readonly #deps: SchedulesDeps;
  readonly #records: Records<Stored>;
  readonly #alarm: Alarm;
  readonly #running = new Map<string, Promise<void>>();
  #stopped = true;

  constructor(deps: SchedulesDeps) {
    this.#deps = deps;
    this.#records = deps.store.records(KIND);
    this.#alarm = new Alarm(deps.clock, () => this.#look());
  }

  /** Starts the schedules; due ones run immediately. */
  start(): void {
    this.#stopped = false;
    this.#look();
    for (const stored of this.#listEnabled()) if (stored.after) this.#lookAfter(stored);
  }

  /** Starts no further run. Resolves when the current runs have ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#alarm.stop();
    await Promise.all(this.#running.values());
  }

  list(session?: string): Schedule[] {
    const all = this.#records.list().filter((stored) => session === undefined || stored.session === session);
    return all.sort((a, b) => a.createdAt.localeCompare(b.createdAt)).map(present);
  }

  get(id: string): Schedule {
    return present(this.#require(id));
  }

  add(body: NewSchedule) {
    const request = requestHash(body);
    const known = body.id === undefined ? undefined : this.#records.get(body.id);
    if (known?.request === request) return { schedule: present(known), created: false };
    if (known) {
      throw new GantryError("conflict", `${known.id} exists already and was created with other values.`, {
        remedy: "Use another id, or leave it out.",
      });
    }
    this.#deps.check(body);
    const id = body.id ?? this.#deps.id();
    const createdAt = iso(this.#deps.clock.now());
    const { enabled = true, ...rest } = body;
    const base = { ...rest, id, enabled, runs: 0, misses: 0, createdAt, updatedAt: createdAt, request };
    const stored = this.#setNextTime(base);
    this.#put(stored);
    this.#forgetOldest();
    return { schedule: present(stored), created: true };
  }

  change(id: string, body: PatchSchedule): Schedule {
    const before = this.#require(id);
    const retimed = body.at !== undefined || body.every !== undefined || body.after !== undefined;
    const { at, every, after, nextAt, ...timeless } = before;
    const next: Stored = { ...(retimed ? timeless : before), ...body, updatedAt: iso(this.#deps.clock.now()) };
    const resumed = next.enabled && !before.enabled;
    if (resumed && !retimed && before.reason === DONE) {
      throw new GantryError("conflict", `${id} was to run once and has run.`, {
        remedy: "Give it a new time, or run it now.",
      });
    }
    if (resumed || body.text !== undefined || body.attachments !== undefined) this.#deps.check(next);
    const { reason, pending, ...fresh } = next;
    const stored = resumed || retimed || body.enabled === false ? this.#setNextTime(fresh) : next;
    this.#put(stored);
    return present(stored);
  }

  delete(id: string): void {
    this.#require(id);
    this.#records.delete(id);
    this.#arm();
  }

  async run(id: string): Promise<Schedule> {
    const stored = this.#require(id);
    const gone = goneBecause(this.#deps.store, { session: stored.session });
    if (gone) throw new GantryError("conflict", `${id} has no target: ${gone}`);
    await this.#running.get(id);
    const { every, pending, nextAt, enabled } = this.#require(id);
    const at = iso(this.#deps.clock.now());
    const due = pending ?? { key: `now ${at}`, at };
    const onTop = every !== undefined && !pending;
    await this.#send(this.#require(id), due, (next) => (onTop ? { ...next, nextAt, enabled } : next));
    this.#arm();
    return this.get(id);
  }

  /**
   * Runs what waits for the end of this session's turn, or for room in its queue. A turn can end before the next message
   * leaves the queue, so both events count.
   */
  committed(session: string, rows: readonly StoredEvent[]): void {
    const ended = rows.some(({ type }) => type === "turn.ended");
    if (this.#stopped || (!ended && !rows.some(({ type }) => type === "message.delivery"))) return;
    setImmediate(() => {
      if (this.#stopped) return;
      for (const stored of this.#listEnabled()) {
        if (ended && stored.after?.session === session && !stored.pending) this.#lookAfter(stored);
        if (stored.session !== session || !stored.pending) continue;
        if (ended || this.#hasRoom(session)) void this.#fire(stored, dueOf(stored));
      }
    });
  }

  #hasRoom(session: string): boolean {
    const view = this.#deps.store.sessions.get(session)?.view;
    return view !== undefined && view.queue.length < this.#deps.config.queueLimit;
  }

  removed(session: string): void {
    for (const stored of this.#listEnabled()) {
      if (stored.session === session || stored.after?.session === session) this.#disableGone(stored);
    }
  }

  #look(): void {
    if (this.#stopped) return;
    const now = this.#deps.clock.now();
    for (const stored of this.#listEnabled()) {
      if (stored.nextAt !== undefined && Date.parse(stored.nextAt) <= now) void this.#fire(stored, dueOf(stored));
    }
    this.#arm();
  }

  #lookAfter(stored: Stored): void {
    const { after, since } = stored;
    if (!after) return;
    const view = this.#deps.store.sessions.get(after.session)?.view;
    if (!view) return this.#disableGone(stored);
    const { lastTurn } = view;
    const wanted = after.outcome === "any" || after.outcome === lastTurn?.outcome;
    if (!lastTurn || lastTurn.id === since || !wanted || !isIdle(view)) return;
    void this.#fire(stored, { key: lastTurn.id, at: lastTurn.endedAt });
  }

  #fire(stored: Stored, due: Due): Promise<void> {
    const underWay = this.#running.get(stored.id);
    if (underWay) return underWay;
    const run = this.#try(stored, due)
      .catch((error) => this.#deps.log(`${stored.id}: ${(error as Error).stack ?? error}`))
      .finally(() => {
        this.#running.delete(stored.id);
        this.#arm();
      });
    this.#running.set(stored.id, run);
    return run;
  }

  async #try(stored: Stored, due: Due): Promise<void> {
    const now = this.#deps.clock.now();
    if (goneBecause(this.#deps.store, stored)) return this.#disableGone(stored);
    const late = now - Date.parse(due.at) > LATE_MS;
    if (late && !stored.pending && this.#deps.config.schedules.catchUp === "skip") {
      return this.#put(skipRun(stored, due, `Its time, ${due.at}, passed while the daemon was not there.`, now));
    }
    try {
      await this.#send(stored, due, (next) => next);
    } catch (error) {
      this.#handleFailure(stored, due, error, now);
    }
  }

  /** `keep` decides the record that is stored with the message. */
  async #send(stored: Stored, due: Due, keep: (next: Stored) => Stored): Promise<void> {
    const now = this.#deps.clock.now();
    let isStored = false;
    const next = ({ disposition: outcome, message, session }: Delivered) => {
      // A person may have changed it while its session was begun.
      const current = this.#records.get(stored.id) ?? stored;
      return keep(advanceSchedule(current, due, { at: iso(now), due: due.at, outcome, session, message }, now));
    };
    const delivered = await deliver(this.#deps, stored, due, now, (fate) => {
      isStored = true;
      // Removed while its session was begun.
      return this.#records.get(stored.id) ? [{ kind: KIND, id: stored.id, value: next(fate) }] : [];
    });
    if (!isStored && this.#records.get(stored.id)) this.#put(next(delivered));
  }

  #handleFailure(stored: Stored, due: Due, error: unknown, now: number): void {
    const { message } = error as Error;
    const overdue = now - Date.parse(due.at) > GIVE_UP_MS;
    const run = { at: iso(now), due: due.at, error: message, ...(stored.session ? { session: stored.session } : {}) };
    if (!isPassing(error) || overdue) {
      this.#deps.log(`${stored.id}: ${message}`);
      const next = advanceSchedule(stored, due, { ...run, outcome: "failed" }, now);
      return this.#put(next.enabled ? next : { ...next, reason: `It could not be sent: ${message}` });
    }
    const tries = (stored.pending?.tries ?? 0) + 1;
    const nextAt = iso(now + backoffMs(tries, { firstMs: RETRY_MS, maxMs: LONGEST_RETRY_MS }));
    const pending = { key: due.key, at: due.at, tries };
    this.#put({ ...stored, pending, nextAt, lastRun: { ...run, outcome: "waiting" }, updatedAt: iso(now) });
    if (tries > 1 || !stored.session) return;
    const text = `${stored.id} is due and waits: ${message} It is tried again.`;
    this.#deps.note(stored.session, { kind: "schedule", severity: "warning", text });
  }

  /** With the time of its next run. Throws `invalid` for one that cannot be. */
  #setNextTime(stored: Stored): Stored {
    const now = this.#deps.clock.now();
    const { nextAt: _, since: __, ...rest } = stored;
    const { at, every, after } = rest;
    if (typeof every === "string") parseCron(every);
    if (at !== undefined && Date.parse(at) < now - LATE_MS) {
      throw new GantryError("invalid", `${at} lies in the past.`, { remedy: "Name a time that is still to come." });
    }
    if (!after) {
      const next = stored.enabled ? nextOccurrence(stored, now) : undefined;
      return { ...rest, ...(next === undefined ? {} : { nextAt: iso(next) }) };
    }
    const awaited = this.#deps.store.sessions.get(after.session);
    if (!awaited) throw new GantryError("no_such_session", `There is no session ${after.session} to wait for.`);
    return { ...rest, since: awaited.view.lastTurn?.id };
  }

  #disableGone(stored: Stored): void {
    const why = goneBecause(this.#deps.store, stored) ?? "What it sends to is gone.";
    this.#put(disableSchedule(stored, why, this.#deps.clock.now()));
  }

  #listEnabled(): Stored[] {
    return this.#records.list().filter(({ enabled }) => enabled);
  }

  #require(id: string): Stored {
    const stored = this.#records.get(id);
    if (stored) return stored;
    throw new GantryError("no_such_schedule", `There is no schedule ${id}.`, {
      remedy: "`gantry schedule` lists them.",
    });
  }

  #put(stored: Stored): void {
    this.#records.put(stored.id, stored);
    this.#arm();
  }

  #arm(): void {
    if (this.#stopped) return;
    const waiting = this.#listEnabled().filter(({ id, nextAt }) => nextAt !== undefined && !this.#running.has(id));
    const times = waiting.map(({ nextAt = "" }) => Date.parse(nextAt));
    this.#alarm.set(times.length > 0 ? Math.min(...times) : undefined);
  }

  #forgetOldest(): void {
    const done = this.#records.list().filter(({ reason }) => reason === DONE);
    done.sort((a, b) => a.updatedAt.localeCompare(b.updatedAt));
    for (const { id } of done.slice(0, -MOST_DONE)) this.#records.delete(id);
  }
}
