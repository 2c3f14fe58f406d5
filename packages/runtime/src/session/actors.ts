import { GantryError, type HandoffBody, runningTasks, type SessionState, type SessionView } from "@gantry/protocol";
import type { LimitedSessions } from "../limits/port.ts";
import type { ProcessRow } from "../log/port.ts";
import { SessionActor } from "./actor.ts";
import type { ActorDeps } from "./actor-deps.ts";

/** The actors of all sessions that were used since the daemon started, each created on demand. */
export class SessionActors {
  readonly #actors = new Map<string, SessionActor>();
  readonly #deps: ActorDeps;

  constructor(deps: ActorDeps) {
    this.#deps = deps;
  }

  /** The latest view; `undefined` for an unknown or deleted session. */
  findView(id: string): SessionView | undefined {
    const stored = this.#deps.store.sessions.get(id);
    return stored && (this.#actors.get(id)?.view ?? stored.view);
  }

  /** Throws `no_such_session`. */
  view(id: string): SessionView {
    const view = this.findView(id);
    if (view) return view;
    throw new GantryError("no_such_session", `There is no session ${id}.`, { remedy: "`gantry ls` lists them." });
  }

  /** The actor, if the session was used before. */
  find(id: string): SessionActor | undefined {
    return this.#actors.get(id);
  }

  /** Throws `no_such_session`. */
  get(id: string): SessionActor {
    return this.#actors.get(id) ?? this.add(this.view(id));
  }

  /** Throws `no_such_session` or `session_ended`. */
  live(id: string): SessionActor {
    const { ended } = this.view(id);
    if (ended) throw new GantryError("session_ended", `${id} has ended (${ended}).`);
    return this.get(id);
  }

  add(view: SessionView): SessionActor {
    const actor = new SessionActor(view, this.#deps);
    this.#actors.set(view.id, actor);
    return actor;
  }

  /** Stops working on a session. Its process continues. */
  remove(id: string): void {
    this.#actors.get(id)?.detach();
    this.#actors.delete(id);
  }

  all(): SessionActor[] {
    return [...this.#actors.values()];
  }

  /** Every stored session in a state, archived ones included. */
  inState(state: SessionState): string[] {
    const ids: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = this.#deps.store.sessions.list({ state, limit: 500, cursor, archived: "any" });
      ids.push(...page.sessions.map((row) => row.id));
      if (!page.nextCursor) return ids;
      cursor = page.nextCursor;
    }
  }

  /** At boot: adopts every process and resumes every turn that an earlier daemon left. */
  restore(): { adopted: number; resumed: number } {
    const { store } = this.#deps;
    const latest = new Map<string, ProcessRow>();
    for (const row of store.processes.all()) {
      if (!store.spools.get(row.id) || !store.sessions.get(row.session)) continue;
      const before = latest.get(row.session);
      latest.set(row.session, row);
      // It was being ended when its successor was started.
      if (before) this.get(row.session).discard(before);
    }
    // One session that cannot be resumed must not stop the others, nor the daemon.
    for (const row of latest.values()) this.#attempt(row.session, (actor) => actor.adopt(row));
    const unfinished = [...this.inState("running"), ...this.inState("waiting")];
    const others = [...this.inState("idle"), ...this.inState("limited")];
    for (const id of [...unfinished, ...others]) {
      // No process that could run them is recorded.
      const orphaned = !latest.has(id) && runningTasks(this.view(id)).length > 0;
      if (orphaned) this.#attempt(id, (actor) => actor.apply("processReleased", "restart"));
    }
    for (const id of unfinished) this.#attempt(id, (actor) => actor.wake());
    for (const id of others) {
      const { queue, sent, handingTo } = this.view(id);
      if (this.#actors.has(id) || queue.length > 0 || sent.length > 0 || handingTo)
        this.#attempt(id, (actor) => actor.wake());
    }
    return { adopted: latest.size, resumed: unfinished.length };
  }

  #attempt(id: string, action: (actor: SessionActor) => void): void {
    try {
      action(this.get(id));
    } catch (error) {
      this.#deps.log(`${id}: could not be resumed: ${(error as Error).stack ?? error}`);
    }
  }
}

type HeldDeps = { log: (text: string) => void; handOff: (id: string, body: HandoffBody) => Promise<unknown> };

/** What the limits may do with sessions that wait for one. */
export function heldSessions(actors: SessionActors, { log, handOff }: HeldDeps): LimitedSessions {
  return {
    handOn: async (id, to) => {
      const [first] = actors.view(id).queue;
      // A brief cannot hold attachments. A message with attachments is sent after the brief.
      const plain = first && first.attachments.length === 0 ? first : undefined;
      await handOff(id, { ...to, ...(plain ? { prompt: plain.text } : {}) });
      const { agent, queue } = actors.view(id);
      if (!plain || agent !== to.agent || !queue.some(({ message }) => message === plain.message)) return;
      const data = {
        message: plain.message,
        state: "cancelled" as const,
        reason: `sent to ${to.agent} with the handoff`,
      };
      actors.get(id).apply("recordEvents", [{ type: "message.delivery", data }]);
    },
    parked: () => actors.inState("limited").map((id) => actors.view(id)),
    view: (id) => actors.findView(id),
    wake: (id, forget = false) => {
      if (!actors.findView(id)) return;
      try {
        actors.get(id).apply("wake", { release: forget });
      } catch (error) {
        // With a full disk it stays held and is woken again later.
        log(`${id}: ${(error as Error).message}`);
      }
    },
  };
}
