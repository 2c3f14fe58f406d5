import type { SessionView } from "@gantry/protocol";
import type { RecordChange, Records, Store } from "../log/port.ts";
import { isIdle } from "../session/engine/queue.ts";

/** The record of a spawned session: its parent and root, and the last report to its parent. */
export type SpawnRecord = {
  session: string;
  parent: string;
  root: string;
  told?: SpawnReport; // prose-ignore: stored field
};

/** The last turn and the last input of a spawned session that its parent was notified of. */
export type SpawnReport = { turn?: string; input?: string };

export function reportOf(record: SpawnRecord): SpawnReport | undefined {
  return record.told; // prose-ignore: stored field
}

export function withReport(record: SpawnRecord, report: SpawnReport | undefined): SpawnRecord {
  return { ...record, told: { ...reportOf(record), ...report } }; // prose-ignore: stored field
}

export const KIND = "spawn";

/** The tree of spawned sessions. */
export class Family {
  readonly #store: Store;
  readonly records: Records<SpawnRecord>;

  constructor(store: Store) {
    this.#store = store;
    this.records = store.records(KIND);
  }

  view(id: string): SessionView | undefined {
    return this.#store.sessions.get(id)?.view;
  }

  /** The ancestors of a session, nearest first. */
  listAncestors(id: string): SessionView[] {
    const found: SessionView[] = [];
    for (let view = this.view(id); view?.spawn && view.parent; ) {
      view = this.view(view.parent);
      if (view) found.push(view);
    }
    return found;
  }

  isBelow(id: string, ancestor: string): boolean {
    return this.listAncestors(id).some((view) => view.id === ancestor);
  }

  children(parent: string): SpawnRecord[] {
    return this.records.list().filter((record) => record.parent === parent);
  }

  /** All descendants of a session. */
  listDescendants(id: string): SessionView[] {
    const direct = this.children(id).flatMap((record) => this.view(record.session) ?? []);
    return direct.flatMap((view) => [view, ...this.listDescendants(view.id)]);
  }

  /** Sessions of one root that are running or waiting. */
  atWork(root: string): SessionView[] {
    const all = this.records.list().filter((record) => record.root === root);
    return all.flatMap(({ session }) => this.view(session) ?? []).filter(isAtWork);
  }

  /** The root and the cost of its tree, with the current `view`. `undefined` for a session without relatives. */
  kin(view: SessionView): { root: SessionView; usd: () => number } | undefined {
    const top = view.spawn?.root ?? view.id;
    const below = this.records.list().filter((record) => record.root === top);
    const root = top === view.id ? view : this.view(top);
    if (!root || below.length === 0) return undefined;
    const listOthers = () => [root.id, ...below.map(({ session }) => session)].filter((id) => id !== view.id);
    const cost = (one: SessionView | undefined) => one?.cost?.usd ?? 0;
    return { root, usd: () => listOthers().reduce((sum, id) => sum + cost(this.view(id)), cost(view)) };
  }

  recordReport(record: SpawnRecord, report: SpawnReport | undefined): RecordChange {
    return { kind: KIND, id: record.session, value: withReport(record, report) };
  }
}

/** A session without a turn yet counts as running. */
function isAtWork(view: SessionView): boolean {
  return !view.ended && !view.archived && (view.turns === 0 || !isIdle(view));
}
