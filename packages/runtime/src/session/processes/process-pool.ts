import type { LiveProcess, ProcessList } from "@gantry/protocol";
import type { Store } from "../../log/port.ts";
import type { SessionActor } from "../actor.ts";

/** A running process. `idleSince` in ms; absent while something needs the process. */
export type PoolEntry = { session: string; idleSince?: number };

/** The sessions whose processes are released so that at most `max` run: the longest idle first, never a busy one. */
export function chooseEvictions(entries: readonly PoolEntry[], max: number): string[] {
  const idle = entries.filter((entry) => entry.idleSince !== undefined);
  idle.sort((a, b) => (a.idleSince ?? 0) - (b.idleSince ?? 0));
  return idle.slice(0, Math.max(0, entries.length - max)).map(({ session }) => session);
}

/**
 * A process that has just become idle is not released: while many sessions start, ending processes would delay the others,
 * and a message often follows the end of a turn.
 */
const FRESH_MS = 2000;

type PoolDeps = { actors: () => SessionActor[]; max: () => number; store: Store; log: (line: string) => void };

/** The agent processes of all sessions, and their limit. */
export class ProcessPool {
  readonly #deps: PoolDeps;
  #isPlanned = false;
  #later: NodeJS.Timeout | undefined;

  constructor(deps: PoolDeps) {
    this.#deps = deps;
  }

  /** Releases idle processes above the limit, after the current turn of the event loop. Does no I/O here. */
  makeRoom(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      this.#evict();
    }).unref();
  }

  #evict(): void {
    const live = this.#deps.actors().filter((actor) => actor.hasProcess);
    const entries = live.map((actor) => ({ session: actor.view.id, idleSince: actor.idleProcess?.since }));
    const sinceOf = new Map(entries.map(({ session, idleSince = 0 }) => [session, idleSince]));
    const chosen = chooseEvictions(entries, this.#deps.max());
    const stale = new Set(chosen.filter((session) => Date.now() - (sinceOf.get(session) ?? 0) >= FRESH_MS));
    if (stale.size < chosen.length) this.#evictLater();
    for (const actor of live) {
      if (!stale.has(actor.view.id)) continue;
      void actor.release("evicted").catch((error) => this.#deps.log(`${actor.view.id}: ${error.message}`));
    }
  }

  #evictLater(): void {
    this.#later ??= setTimeout(() => {
      this.#later = undefined;
      this.makeRoom();
    }, FRESH_MS).unref();
  }

  /** The longest idle first, then the others. */
  list(): ProcessList {
    const live = this.#deps.actors().filter((actor) => actor.hasProcess);
    const order = (actor: SessionActor) => actor.idleProcess?.since ?? Infinity;
    const sorted = live.toSorted((a, b) => (order(a) < order(b) ? -1 : Number(order(a) > order(b))));
    return { max: this.#deps.max(), processes: sorted.map((actor) => this.#describe(actor)) };
  }

  #describe(actor: SessionActor): LiveProcess {
    const { id: session, title, agent } = actor.view;
    const row = actor.process === undefined ? undefined : this.#deps.store.processes.get(actor.process);
    const idle = actor.idleProcess;
    const iso = (ms: number) => new Date(ms).toISOString();
    const state = idle ? "idle" : actor.state.conversation?.ready ? "busy" : "starting";
    return {
      ...{ session, title, agent, state },
      ...(row?.pid === undefined ? {} : { pid: row.pid, startedAt: row.createdAt }),
      ...(idle ? { idleSince: iso(idle.since), releaseAt: iso(idle.releaseAt) } : {}),
    };
  }
}
