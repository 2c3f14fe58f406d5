import type { Envelope, LiveFrame } from "@gantry/protocol";
import { lineOf } from "../framing/lines.ts";
import { LIMITS, type LimitGate } from "../limits/gate.ts";
import type { Blobs } from "../log/blobs.ts";
import type { Batch, JournalRow, RecordChange, Store, StoredEvent } from "../log/port.ts";
import type { Publisher } from "./api.ts";
import { encodeMark, isWorthStoring } from "./connection/mark.ts";
import type { SessionStep } from "./engine/step.ts";

/** The process that a session is connected to, as far as storage is concerned. */
export type ProcessCursor = {
  process: string;
  /** How many frames were journalled for it. */
  ordinal: number;
  /** The byte of its output at which the stored mark was taken. */
  markOffset: number;
};

/** Live deltas alone are not committed until this many bytes of output were read. */
const MAX_UNCOMMITTED = 4 * 1024 * 1024;

/**
 * The batch that makes a step durable, and the cursor after it. Without a batch nothing must be stored: after a crash the
 * same output is read again.
 */
export function buildBatch(
  step: SessionStep,
  cursor: ProcessCursor | undefined,
  deps: { store: Store; blobs: Blobs },
  extra: Partial<Batch>,
): { batch?: Batch; rows: JournalRow[]; cursor: ProcessCursor | undefined } {
  const { view, conversation } = step;
  const events = step.events.map((event) => deps.blobs.spill(event));
  const rows = cursor ? journalRows(step, cursor) : [];
  const set = cursor ? ackedRows(deps.store, cursor, step.acks) : [];
  const far = conversation && cursor && conversation.offset - cursor.markOffset > MAX_UNCOMMITTED;
  const records = limitRecords(step.context.gate);
  const changes = records.length + events.length + rows.length + set.length + Object.keys(extra).length;
  if (changes === 0 && !far && !step.needsMark) return { rows, cursor };
  const spool = cursor ? spoolUpdate(step, cursor, rows.length > 0 || step.needsMark) : undefined;
  const both = spool && extra.spool ? { ...spool, ...extra.spool } : (spool ?? extra.spool);
  const journal = { add: rows, set };
  const batch = { session: view.id, events, view, journal, records, ...extra, ...(both ? { spool: both } : {}) };
  if (!cursor) return { batch, rows, cursor };
  const markOffset = spool?.mark === undefined ? cursor.markOffset : (spool.offset ?? 0);
  return { batch, rows, cursor: { ...cursor, ordinal: cursor.ordinal + rows.length, markOffset } };
}

/** Changes of the account's limits are stored with the step that made them. */
function limitRecords(gate: LimitGate | undefined): RecordChange[] {
  return [...(gate?.changes.values() ?? [])].map((value) => ({ kind: LIMITS, id: value.id, value }));
}

function journalRows({ frames, view }: SessionStep, { process, ordinal }: ProcessCursor): JournalRow[] {
  return frames.map((frame, index) => ({
    id: `${process}:${ordinal + index}`,
    process,
    session: view.id,
    ordinal: ordinal + index,
    atOffset: frame.atOffset,
    frame: lineOf(frame.msg),
    ...(frame.key === undefined ? {} : { key: frame.key }),
    repeat: frame.repeat,
    state: "pending",
  }));
}

function ackedRows(store: Store, cursor: ProcessCursor, keys: readonly string[]): { id: string; state: "acked" }[] {
  if (keys.length === 0) return [];
  const open = store.journal.list(cursor.process, ["pending", "writing", "written"]);
  const acked = open.filter((row) => row.key !== undefined && keys.includes(row.key));
  return acked.map((row) => ({ id: row.id, state: "acked" }));
}

/** `needsMark`: replaying the spool from an earlier mark would not reproduce the step. */
function spoolUpdate(
  { conversation, open, deadlines, firstOutput }: SessionStep,
  cursor: ProcessCursor,
  needsMark: boolean,
): Batch["spool"] {
  if (!conversation) return undefined;
  const mark = encodeMark(conversation, open, deadlines, firstOutput);
  const store = needsMark || isWorthStoring(mark, conversation.offset, cursor.markOffset);
  return { process: cursor.process, offset: conversation.offset, ...(store ? { mark } : {}) };
}

/** Publishes a committed step in order: runs of durable events with the live frames between them. */
export function publishStep(
  publisher: Publisher,
  session: string,
  out: readonly (Envelope | LiveFrame)[],
  stored: readonly StoredEvent[],
): void {
  let published = 0;
  let seen = 0;
  for (const entry of out) {
    if ("seq" in entry) {
      seen++;
      continue;
    }
    if (seen > published) publisher.committed(session, stored.slice(published, seen));
    published = seen;
    publisher.live(entry);
  }
  if (seen > published) publisher.committed(session, stored.slice(published, seen));
}

/**
 * Fans out to several publishers, in this order; the list may grow later. They are called synchronously in the middle of
 * a session's step: they must not throw, and defer their own work.
 */
export function combinePublishers(all: readonly Partial<Publisher>[]): Publisher {
  return {
    committed: (session, rows) => {
      for (const one of all) one.committed?.(session, rows);
    },
    live: (frame) => {
      for (const one of all) one.live?.(frame);
    },
    removed: (session) => {
      for (const one of all) one.removed?.(session);
    },
  };
}
