import { GantryError } from "@gantry/protocol";
import type { SessionRow } from "../../log/port.ts";
import { LogWriter } from "../log-writer.ts";
import { findPast } from "./find-conversations.ts";
import { IMPORT, type ImportDeps, type ImportRecord } from "./import-job.ts";
import { Retelling } from "./replay.ts";

/**
 * Adds what the conversation got since it was imported, a turn at a time: how far it was told is stored with each, so
 * that whoever is cut off goes on where it stood. Returns how many events were added. Throws `conflict`.
 */
export async function catchUp(deps: ImportDeps, row: SessionRow): Promise<number> {
  const { store, blobs, place } = deps;
  const record = store.records<ImportRecord>(IMPORT).get(row.id);
  if (!record || record.lastSeq !== row.lastSeq) throw wentOn(row.id, record !== undefined);
  const keeper = deps.keeper(record.agent);
  const head = await findPast(keeper, place, record.conversation);
  const telling = new Retelling(row.view, { id: deps.id, agent: keeper });
  const writer = new LogWriter(store, blobs, row.id);
  let outputs = 0;
  for await (const past of keeper.history.read(head, place)) {
    outputs++;
    if (outputs <= record.outputs) continue;
    const goesOn = telling.view.lastSeq === row.lastSeq && past.output.kind !== "prompted";
    const events = [...(goesOn ? telling.goOn() : []), ...telling.take(past)];
    await writer.hold(events);
    if (!telling.view.turn) keep(outputs);
  }
  if (outputs < record.outputs) throw rewritten(row.id);
  await writer.hold(telling.over("nothing more was written down"));
  keep(outputs);
  return telling.view.lastSeq - row.lastSeq;

  function keep(told: number): void {
    const value: ImportRecord = { ...record!, outputs: told, lastSeq: telling.view.lastSeq };
    const rows = writer.flush([{ kind: IMPORT, id: row.id, value }]);
    deps.onShown(row.id, rows);
  }
}

function wentOn(session: string, imported: boolean): GantryError {
  const message = imported
    ? `${session} has gone on since it was imported, so what it got there cannot be told from what it got here.`
    : `${session} was not imported: it has this conversation from its own turns.`;
  return new GantryError("conflict", message, { remedy: "Go on with the session as it is; leave `again` out." });
}

function rewritten(session: string): GantryError {
  return new GantryError("conflict", `The conversation of ${session} is shorter than when it was imported.`, {
    remedy: "Delete the session and import the conversation anew to have it as it is now.",
  });
}
