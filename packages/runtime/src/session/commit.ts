import type { SessionView } from "@gantry/protocol";
import { lineOf } from "../framing/lines.ts";
import { type Gate, LIMITS } from "../limits/gate.ts";
import type { Blobs } from "../log/blobs.ts";
import type { Batch, JournalRow, RecordChange, Store } from "../log/port.ts";
import { markOf, worthStoring } from "./connection/mark.ts";
import type { Exchange } from "./exchange.ts";

/** The process that a session talks with, as far as storing is concerned. */
export type Wire = {
  process: string;
  /** How many frames were told to it. */
  ordinal: number;
  /** The byte of its output at which the stored mark was taken. */
  markOffset: number;
};

/** Live deltas alone are not worth a commit until so many bytes of them have been read. */
const UNCOMMITTED = 4 * 1024 * 1024;

/**
 * What of an exchange must become durable, and the wire after it. `batch` is left out when nothing must: what was heard
 * is then heard again after a crash.
 */
export function batchOf(
  exchange: Exchange,
  wire: Wire | undefined,
  deps: { store: Store; blobs: Blobs },
  extra: Partial<Batch>,
): { batch?: Batch; rows: JournalRow[]; wire: Wire | undefined } {
  const { step, talk } = exchange;
  const { view } = step;
  const events = step.events.map((event) => deps.blobs.spill(event));
  const rows = wire ? journalRows(exchange, wire, view) : [];
  const set = wire ? ackedRows(deps.store, wire, exchange.acks) : [];
  const far = talk !== undefined && wire !== undefined && talk.offset - wire.markOffset > UNCOMMITTED;
  const records = limitRecords(step.context.gate);
  const needed = records.length > 0 || events.length + rows.length + set.length + Object.keys(extra).length > 0 || far;
  if (!needed) return { rows, wire };
  const spool = wire && talk ? spoolUpdate(exchange, wire, rows.length > 0 || exchange.timed) : undefined;
  const batch = { session: view.id, events, view, spool, journal: { add: rows, set }, records, ...extra };
  if (!wire) return { batch, rows, wire };
  const markOffset = spool?.mark === undefined ? wire.markOffset : (spool.offset ?? 0);
  return { batch, rows, wire: { ...wire, ordinal: wire.ordinal + rows.length, markOffset } };
}

/** What a step found out of the limits is as durable as what it did about them. */
function limitRecords(gate: Gate | undefined): RecordChange[] {
  return [...(gate?.changes.values() ?? [])].map((value) => ({ kind: LIMITS, id: value.id, value }));
}

function journalRows({ frames }: Exchange, wire: Wire, view: SessionView): JournalRow[] {
  return frames.map((frame, index) => ({
    id: `${wire.process}:${wire.ordinal + index}`,
    process: wire.process,
    session: view.id,
    ordinal: wire.ordinal + index,
    atOffset: frame.atOffset,
    frame: lineOf(frame.msg),
    ...(frame.key === undefined ? {} : { key: frame.key }),
    repeat: frame.repeat,
    state: "pending",
  }));
}

function ackedRows(store: Store, wire: Wire, keys: readonly string[]): { id: string; state: "acked" }[] {
  if (keys.length === 0) return [];
  const open = store.journal.list(wire.process, ["pending", "writing", "written"]);
  const acked = open.filter((row) => row.key !== undefined && keys.includes(row.key));
  return acked.map((row) => ({ id: row.id, state: "acked" }));
}

/** `beyond`: something happened that the spool does not hold, so that it cannot be decoded from there once more. */
function spoolUpdate({ talk, step }: Exchange, wire: Wire, beyond: boolean): Batch["spool"] {
  if (!talk) return undefined;
  const mark = markOf(talk, step.open);
  const store = beyond || worthStoring(mark, talk.offset, wire.markOffset);
  return { process: wire.process, offset: talk.offset, ...(store ? { mark } : {}) };
}
