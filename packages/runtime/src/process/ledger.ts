import type { Processes, ProcessRow } from "../log/port.ts";
import { type Exit, killed, readExit } from "./exit.ts";
import { isAlive, type Running, running } from "./identity.ts";
import type { Launched } from "./launcher.ts";
import { reap, type StopTarget, stop } from "./stop.ts";

/** Nobody waits for the last words of an agent whose session is gone. */
const ORPHAN_GRACE_MS = 500;

/** What is known of a process before it starts. */
export type ProcessPlan = Pick<ProcessRow, "id" | "session" | "agent" | "bin" | "version" | "cwd" | "dir">;

/** What a boot found: agents that go on, agents that ended meanwhile, and how many left-over processes were killed. */
export type Reconciled = {
  adopted: (ProcessRow & Launched)[];
  closed: { row: ProcessRow; exit: Exit }[];
  reaped: { process: string; count: number }[];
};

/**
 * Every process that Gantry started, from before its start to its end. Nothing else is ever signalled.
 * The order of calls is `record`, launch, `started`, `ended`; a crash between any two of them is settled by `reconcile`.
 */
export class Ledger {
  readonly #processes: Processes;
  readonly #now: () => string;

  constructor(processes: Processes, now: () => string = () => new Date().toISOString()) {
    this.#processes = processes;
    this.#now = now;
  }

  record(plan: ProcessPlan): void {
    this.#processes.put({ ...plan, createdAt: this.#now() });
  }

  started({ id, pid, pgid, startedAt }: Launched): void {
    this.#processes.put({ ...this.#row(id), pid, pgid, startedAt });
  }

  ended(id: string, exit: Exit): ProcessRow {
    const row = {
      ...this.#row(id),
      endedAt: this.#now(),
      code: exit.code ?? undefined,
      signal: exit.signal ?? undefined,
    };
    this.#processes.put(row);
    return row;
  }

  /** Those whose end is not recorded. */
  alive(): ProcessRow[] {
    return this.#processes.open();
  }

  /**
   * To be called once at boot, before anything is started. Running agents of sessions that `owned` knows are adopted;
   * those of no session are killed and forgotten, and so is whatever ended agents left behind.
   */
  async reconcile(owned: (session: string) => boolean): Promise<Reconciled> {
    const seen = running();
    const result: Reconciled = { adopted: [], closed: [], reaped: [] };
    const leftovers: StopTarget[] = [];
    for (const row of this.#processes.all()) {
      const found = row.endedAt ? undefined : locate(row, seen);
      if (found && owned(row.session)) {
        if (row.pid === undefined) this.started(found);
        result.adopted.push({ ...row, ...found });
        continue;
      }
      const strays = found && (await stop(found, { graceMs: ORPHAN_GRACE_MS })).strays;
      if (!row.endedAt) {
        const exit = readExit(row.dir) ?? killed;
        result.closed.push({ row: this.ended(row.id, exit), exit });
      }
      if (strays !== undefined) result.reaped.push({ process: row.id, count: 1 + strays });
      leftovers.push({ id: row.id, pid: row.pid ?? 0, pgid: row.pgid ?? 0, startedAt: row.startedAt ?? "" });
    }
    result.reaped.push(...(await reapAll(leftovers, seen)));
    for (const row of this.#processes.all()) if (row.endedAt && !owned(row.session)) this.#processes.forget(row.id);
    return result;
  }

  #row(id: string): ProcessRow {
    const row = this.#processes.get(id);
    if (!row) throw new Error(`process ${id} was not recorded before it was started`);
    return row;
  }
}

/** The running process of an open row. One that started just before a crash is known by its marker alone. */
function locate(row: ProcessRow, seen: Running[]): Launched | undefined {
  const { id, dir, pid, pgid, startedAt } = row;
  if (pid !== undefined && pgid !== undefined && startedAt !== undefined) {
    return isAlive({ pid, startedAt }) ? { id, dir, pid, pgid, startedAt } : undefined;
  }
  if (readExit(dir)) return undefined;
  const leader = seen.find((one) => one.marker === id && one.pid === one.pgid);
  return leader && { id, dir, pid: leader.pid, pgid: leader.pgid, startedAt: leader.startedAt };
}

async function reapAll(ended: StopTarget[], seen: Running[]): Promise<Reconciled["reaped"]> {
  const marked = new Set(seen.map((one) => one.marker));
  const reaped: Reconciled["reaped"] = [];
  for (const target of ended) {
    const count = marked.has(target.id) ? await reap(target) : 0;
    if (count > 0) reaped.push({ process: target.id, count });
  }
  return reaped;
}
