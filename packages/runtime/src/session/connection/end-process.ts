import type { ProcessRow, Store } from "../../log/port.ts";
import type { Exit } from "../../process/exit.ts";
import { Ledger } from "../../process/ledger.ts";
import type { Spool } from "../../process/spool.ts";
import type { StopTarget } from "../../process/stop.ts";

export type EndDeps = { store: Store; spool: Spool; now: () => string; log: (text: string) => void };

export function stopTarget({ id, pid = 0, pgid = 0, startedAt = "" }: ProcessRow): StopTarget {
  return { id, pid, pgid, startedAt };
}

/** Nothing more is read from the process: its rows are closed and its spool is compressed. */
export function recordProcessEnd(
  { store, spool, now, log }: EndDeps,
  session: string,
  process: string,
  exit: Exit = { code: null, signal: "SIGTERM" },
): void {
  const row = store.processes.get(process);
  if (row && !row.endedAt) new Ledger(store.processes, now).ended(process, exit);
  store.journal.forget(process);
  store.spools.forget(process);
  void spool.compress(session, process).catch((error) => log(`${process}: ${error.message}`));
}
