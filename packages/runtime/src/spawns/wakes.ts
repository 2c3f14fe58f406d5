import type { SessionView } from "@gantry/protocol";
import type { Store, StoredEvent } from "../log/port.ts";
import type { Clock } from "../schedules/clock.ts";
import { derivedId } from "../schedules/derived-id.ts";
import type { SessionService } from "../session/api.ts";
import { isIdle } from "../session/engine/queue.ts";
import { type Family, reportOf, type SpawnRecord } from "./family.ts";
import { type News, reportText } from "./report.ts";

export type WakesDeps = {
  store: Store;
  family: Family;
  clock: Clock;
  send: SessionService["send"];
  /** Adds a notice to a session's log. */
  note(session: string, notice: { kind: string; severity: "info" | "warning"; text: string }): void;
  log: (line: string) => void;
  /** Called at the critical points of a crash; tests end the process there. */
  onStep?: ((where: string) => void) | undefined;
};

/** Ends within this time of each other are reported together. */
const TOGETHER_MS = 300;

/**
 * Wakes a session when the sessions that it spawned have ended or wait for a person. The report is stored in the same
 * transaction as the message, so it is delivered exactly once across crashes. A running parent gets one message with all
 * reports when it is idle. A session that waits for its own spawned sessions has not ended.
 */
export class Wakes {
  readonly #deps: WakesDeps;
  readonly #due = new Set<string>();
  #off: (() => void) | undefined;
  #stopped = true;

  constructor(deps: WakesDeps) {
    this.#deps = deps;
  }

  /** At boot: sends the reports that an earlier daemon left. */
  start(): void {
    this.#stopped = false;
    for (const { parent } of this.#deps.family.records.list()) this.#reportSoon(parent);
  }

  stop(): void {
    this.#stopped = true;
    this.#off?.();
  }

  committed(session: string, rows: readonly StoredEvent[]): void {
    if (this.#stopped || !rows.some(isNews)) return;
    this.#reportSoon(session);
    const record = this.#deps.family.records.get(session);
    if (record) this.#reportSoon(record.parent);
  }

  removed(session: string): void {
    const { records } = this.#deps.family;
    const record = records.get(session);
    records.delete(session);
    if (record) this.#reportSoon(record.parent);
  }

  #reportSoon(parent: string): void {
    this.#due.add(parent);
    this.#off ??= this.#deps.clock.after(TOGETHER_MS, () => {
      this.#off = undefined;
      const due = [...this.#due];
      this.#due.clear();
      if (!this.#stopped) for (const one of due) this.#report(one);
    });
  }

  #report(parent: string): void {
    const news = this.#deps.family.children(parent).flatMap((record) => this.#newsOf(record));
    if (news.length === 0) return;
    const view = this.#deps.family.view(parent);
    try {
      if (!view || view.archived || view.ended) this.#drop(parent, news);
      else if (isReady(view)) this.#wake(parent, news);
    } catch (error) {
      // A full queue: the parent's next turn end retries this.
      this.#deps.log(`${parent} was not woken yet: ${(error as Error).message}`);
    }
  }

  #wake(parent: string, news: readonly News[]): void {
    const { store, family, send } = this.#deps;
    const sessions = news.map(({ session }) => session.id);
    const at = Math.max(...news.map((one) => Date.parse(one.at)));
    const key = [parent, ...news.map(keyOf)].join(" ");
    const body = {
      id: derivedId("message", at, key),
      text: reportText(store, news, family.view(parent)?.lead),
      delivery: "queue" as const,
    };
    const records = () => news.flatMap((one) => this.#reportRecords(one));
    this.#deps.onStep?.("wake:send:before");
    send(parent, body, { author: `session:${sessions.join(",")}`, records });
    this.#deps.onStep?.("wake:send:after");
    // The message was stored before a crash, but its report was not recorded.
    for (const { id, value } of records()) family.records.put(id, value as SpawnRecord);
  }

  /** The parent no longer exists or is archived. */
  #drop(parent: string, news: readonly News[]): void {
    for (const one of news) {
      for (const { id, value } of this.#reportRecords(one)) this.#deps.family.records.put(id, value as SpawnRecord);
      if (one.session.ended) continue;
      const text = `${parent}, which started this session, is deleted or archived and was not notified of its end.`;
      this.#deps.note(one.session.id, { kind: "spawn", severity: "info", text });
    }
  }

  #reportRecords(one: News) {
    const record = this.#deps.family.records.get(one.session.id);
    if (!record) return [];
    return [this.#deps.family.recordReport(record, one.kind === "ended" ? { turn: one.turn } : { input: one.input })];
  }

  #newsOf(record: SpawnRecord): News[] {
    const session = this.#deps.family.view(record.session);
    if (!session?.spawn?.wake) return [];
    const waiting = session.inputs.find(({ blocking }) => blocking);
    if (waiting) {
      const at = session.turn?.startedAt ?? session.updatedAt;
      return waiting.id === reportOf(record)?.input ? [] : [{ session, kind: "waiting", input: waiting.id, at }];
    }
    const { lastTurn } = session;
    if (!lastTurn || lastTurn.id === reportOf(record)?.turn || !isIdle(session) || this.#awaits(session)) return [];
    return [{ session, kind: "ended", turn: lastTurn.id, at: lastTurn.endedAt }];
  }

  /** Whether the session will be woken itself. */
  #awaits({ id }: SessionView): boolean {
    return this.#deps.family.children(id).some((record) => {
      const child = this.#deps.family.view(record.session);
      if (!child?.spawn?.wake || child.archived || child.ended) return false;
      const atWork = child.turn !== undefined && !child.inputs.some(({ blocking }) => blocking);
      return atWork || this.#newsOf(record).length > 0 || this.#awaits(child);
    });
  }
}

/** Idle, or holding only messages of people while limited, with no unread report. */
function isReady({ turn, sent, queue }: SessionView): boolean {
  return turn === undefined && sent.length === 0 && !queue.some(({ author }) => author?.startsWith("session:"));
}

function keyOf(one: News): string {
  return `${one.session.id} ${one.kind === "ended" ? one.turn : one.input}`;
}

/** Events after which a parent may be due a report. */
function isNews({ type, json }: StoredEvent): boolean {
  return type === "turn.ended" || type === "input.requested" || isArchival({ type, json });
}

/** Did the session become archived? */
export function isArchival({ type, json }: Pick<StoredEvent, "type" | "json">): boolean {
  return type === "session.updated" && json.includes('"archived":true');
}
