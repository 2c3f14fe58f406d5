import { setImmediate as yieldToOthers } from "node:timers/promises";
import { type Envelope, type EventData, foldSession, GantryError, type SessionView } from "@gantry/protocol";
import type { Store } from "../log/port.ts";

/** The fold of a log up to one event. */
export type PastView = { view: SessionView; plan?: EventData<"plan.updated"> };

/** Snapshots of one log in its order. The log is append-only, so they never become outdated. */
type Snapshots = { createdAt: string; stride: number; list: PastView[] };

/** Events that are folded before other work of the daemon gets its turn: about a millisecond. */
const SLICE = 100;
const FIRST_STRIDE = 1000;
const MAX_SNAPSHOTS = 256;
const MAX_SESSIONS = 4;

/**
 * Folds logs up to any event. The first request for a long log reads it from the start, in slices; it leaves snapshots in
 * memory, and later requests start at the nearest one. The snapshots of the last sessions are stored.
 */
export class PastViews {
  readonly #store: Pick<Store, "readEvents" | "sessions">;
  readonly #sessions = new Map<string, Snapshots>();

  constructor(store: Pick<Store, "readEvents" | "sessions">) {
    this.#store = store;
  }

  /** `seq` must exist. Throws `no_such_session` if the session is deleted meanwhile. */
  async at(session: string, seq: number, signal?: AbortSignal): Promise<PastView> {
    const snapshots = this.#snapshotsOf(session);
    let past = findNearest(snapshots, seq);
    for (;;) {
      const from = past?.view.lastSeq ?? 0;
      const rows = this.#store.readEvents(session, from, Math.min(SLICE, seq - from));
      for (const { json } of rows) {
        past = foldPast(past, JSON.parse(json) as Envelope);
        if (past.view.lastSeq % snapshots.stride === 0) addSnapshot(snapshots, past);
      }
      if (past?.view.lastSeq === seq) return past;
      if (rows.length === 0) throw new GantryError("no_such_session", `There is no session ${session}.`);
      await yieldToOthers();
      if (signal?.aborted) throw new GantryError("unavailable", "The caller has left.");
      const further = findNearest(snapshots, seq);
      if (further && further.view.lastSeq > (past?.view.lastSeq ?? 0)) past = further;
    }
  }

  /** A deleted session's id may be used again; the new session has another time of creation. */
  #snapshotsOf(session: string): Snapshots {
    const createdAt = this.#store.sessions.get(session)?.createdAt ?? "";
    const known = this.#sessions.get(session);
    const snapshots = known?.createdAt === createdAt ? known : { createdAt, stride: FIRST_STRIDE, list: [] };
    this.#sessions.delete(session);
    this.#sessions.set(session, snapshots);
    for (const other of [...this.#sessions.keys()].slice(0, -MAX_SESSIONS)) this.#sessions.delete(other);
    return snapshots;
  }
}

function foldPast(past: PastView | undefined, event: Envelope): PastView {
  const plan = event.type === "plan.updated" ? event.data : past?.plan;
  return { view: foldSession(past?.view, event), ...(plan ? { plan } : {}) };
}

function findNearest({ list }: Snapshots, seq: number): PastView | undefined {
  return list.findLast(({ view }) => view.lastSeq <= seq);
}

/** Requests for the same log may overlap. Over the limit every second snapshot is dropped. */
function addSnapshot(snapshots: Snapshots, past: PastView): void {
  const last = snapshots.list.at(-1)?.view.lastSeq ?? 0;
  if (past.view.lastSeq <= last) return;
  snapshots.list.push(past);
  if (snapshots.list.length <= MAX_SNAPSHOTS) return;
  snapshots.stride *= 2;
  snapshots.list = snapshots.list.filter(({ view }) => view.lastSeq % snapshots.stride === 0);
}
