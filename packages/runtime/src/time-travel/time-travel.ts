import { type Envelope, GantryError, type PastCheckpoint, type PastSession, type SessionView } from "@gantry/protocol";
import type { openCheckpoints } from "../checkpoints/open-checkpoints.ts";
import type { StoredCheckpoints } from "../checkpoints/work-tree/refs.ts";
import type { Store } from "../log/port.ts";
import { toClientSession } from "../session/client-view.ts";
import { PastViews } from "./past-views.ts";
import type { TimeTravelService } from "./port.ts";

export type TimeTravelDeps = {
  store: Store;
  checkpoints: Pick<ReturnType<typeof openCheckpoints>, "retention" | "turnCheckpoints">;
};

const RECENT_MS = 10_000;

export class TimeTravel implements TimeTravelService {
  readonly #deps: TimeTravelDeps;
  readonly #views: PastViews;
  #known: { log: string; at: number; stored: StoredCheckpoints } | undefined;

  constructor(deps: TimeTravelDeps) {
    this.#deps = deps;
    this.#views = new PastViews(deps.store);
  }

  async at(session: string, seq: number, signal?: AbortSignal): Promise<PastSession> {
    const { store } = this.#deps;
    const end = store.sessions.get(session)?.lastSeq;
    if (end === undefined)
      throw new GantryError("no_such_session", `There is no session ${session}.`, {
        remedy: "`gantry ls` lists them.",
      });
    const [row] = seq > end ? [] : store.readEvents(session, seq - 1, 1);
    if (!row) throw new GantryError("no_such_event", `${session} has ${end} events, so there is no event ${seq}.`);
    const [{ view, plan }, stored] = await Promise.all([
      this.#views.at(session, seq, signal),
      this.#storedCheckpoints(session, end),
    ]);
    const { at, type } = JSON.parse(row.json) as Envelope;
    const turn = view.turn?.id ?? view.lastTurn?.id;
    const checkpoint = findCheckpoint(view, stored);
    return {
      ...toClientSession(view),
      moment: { seq, at, type, ...(turn ? { turn } : {}), end },
      ...(plan ? { plan } : {}),
      ...(checkpoint ? { checkpoint } : {}),
    };
  }

  /** Starts git, unless the last answer is recent and about the same log: a slider asks many times a second. */
  async #storedCheckpoints(session: string, end: number): Promise<StoredCheckpoints> {
    const { retention, turnCheckpoints } = this.#deps.checkpoints;
    const log = `${session} ${end}`;
    if (this.#known?.log === log && Date.now() - this.#known.at < RECENT_MS) return this.#known.stored;
    await turnCheckpoints.waitForStored(session);
    const stored = await retention.storedOf(session);
    this.#known = { log, at: Date.now(), stored };
    return stored;
  }
}

/**
 * The last checkpoint at or before a moment: before the running turn, else after the last one. Before the first turn the
 * files are those that the first turn found.
 */
function findCheckpoint({ turn, lastTurn }: SessionView, stored: StoredCheckpoints): PastCheckpoint | undefined {
  const side = turn || !lastTurn ? "before" : "after";
  const of = turn?.id ?? lastTurn?.id ?? findFirstTurn(stored);
  const commit = of && stored.get(`${of}/${side}`)?.commit;
  return commit ? { commit, turn: of, side, exact: turn === undefined } : undefined;
}

/** Ids of turns sort by time. */
function findFirstTurn(stored: StoredCheckpoints): string | undefined {
  return [...stored.keys()]
    .filter((name) => name.startsWith("trn_"))
    .map((name) => name.slice(0, name.indexOf("/")))
    .sort()[0];
}
