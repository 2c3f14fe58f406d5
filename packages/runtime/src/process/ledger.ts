import { readDescendants } from "./descendants/descendants.ts";
import { type Exit, killed, readExit } from "./exit.ts";
import { isAlive, listProcesses, type Running } from "./identity.ts";
import type { Launched } from "./launcher.ts";
import { reap, stop } from "./stop.ts";

/** One process that Gantry started. `pid` and `startedAt` are missing between the decision to start it and its start. */
export type ProcessRow = {
  id: string;
  session: string;
  agent: string;
  bin: string;
  version?: string;
  cwd: string;
  dir: string;
  createdAt: string;
  pid?: number;
  pgid?: number;
  /** The system's start time of `pid`: together they identify a process uniquely. */
  startedAt?: string;
  endedAt?: string;
  code?: number;
  signal?: string;
};

/** Storage of the ledger's rows. */
export interface Processes {
  get(id: string): ProcessRow | undefined;
  /** Inserts the row or replaces the one with its id. */
  put(row: ProcessRow): void;
  /** Those whose end is not recorded, oldest first. */
  open(): ProcessRow[];
  ofSession(session: string): ProcessRow[];
  all(): ProcessRow[];
  forget(id: string): void;
}

/** Short, because the output of an agent without a session is not read. */
const ORPHAN_GRACE_MS = 500;

/** The fields of a process before it starts. */
export type ProcessPlan = Pick<ProcessRow, "id" | "session" | "agent" | "bin" | "version" | "cwd" | "dir">;

/** Running agents, agents that ended while no daemon ran, and the number of orphans that were killed. */
export type Reconciled = {
  adopted: (ProcessRow & Launched)[];
  closed: { row: ProcessRow; exit: Exit }[];
  reaped: { process: string; count: number }[];
};

/**
 * Every process that Gantry started, from before its start to its end. No other process is ever signalled.
 * The order of calls is `record`, launch, `recordStart`, `recordEnd`; `reconcile` resolves a crash between any two of them.
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

  recordStart({ id, pid, pgid, startedAt }: Launched): void {
    this.#processes.put({ ...this.#row(id), pid, pgid, startedAt });
  }

  recordEnd(id: string, exit: Exit): ProcessRow {
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
  listOpen(): ProcessRow[] {
    return this.#processes.open();
  }

  /**
   * Called once at start, before any process is started. Adopts running agents of the sessions that `owned` accepts;
   * kills agents without a session and orphans of ended agents.
   */
  async reconcile(owned: (session: string) => boolean): Promise<Reconciled> {
    const seen = listProcesses();
    const result: Reconciled = { adopted: [], closed: [], reaped: [] };
    const settle = async (row: ProcessRow) => {
      const found = row.endedAt ? undefined : locate(row, seen);
      if (found && owned(row.session)) {
        if (row.pid === undefined) this.recordStart(found);
        result.adopted.push({ ...row, ...found });
        return;
      }
      const count = await clear(row, found, seen);
      if (count > 0) result.reaped.push({ process: row.id, count });
      if (!row.endedAt) result.closed.push(this.#close(row));
      if (!owned(row.session)) this.#processes.forget(row.id);
    };
    await Promise.all(this.#processes.all().map(settle));
    return result;
  }

  #close(row: ProcessRow): Reconciled["closed"][number] {
    const exit = readExit(row.dir) ?? killed;
    return { row: this.recordEnd(row.id, exit), exit };
  }

  #row(id: string): ProcessRow {
    const row = this.#processes.get(id);
    if (!row) throw new Error(`process ${id} was not recorded before it was started`);
    return row;
  }
}

/** The running process of an open row. A process that started just before a crash is identified by its marker alone. */
function locate(row: ProcessRow, seen: Running[]): Launched | undefined {
  const { id, dir, pid, pgid, startedAt } = row;
  if (pid !== undefined && pgid !== undefined && startedAt !== undefined) {
    const runs = seen.some((one) => one.pid === pid && one.startedAt === startedAt);
    return runs ? { id, dir, pid, pgid, startedAt } : undefined;
  }
  if (readExit(dir)) return undefined;
  const leader = seen.find((one) => one.marker === id && one.pid === one.pgid);
  return leader && { id, dir, pid: leader.pid, pgid: leader.pgid, startedAt: leader.startedAt };
}

/** Kills an agent without a session, or the orphans of an ended one. Returns the number of processes. */
async function clear(row: ProcessRow, found: Launched | undefined, seen: Running[]): Promise<number> {
  if (found) return 1 + (await stop(found, { graceMs: ORPHAN_GRACE_MS })).strays;
  const { id, pgid = 0, dir } = row;
  if (!seen.some((one) => one.marker === id) && !readDescendants(dir).some(isAlive)) return 0;
  return reap({ id, pgid, dir });
}
