import { type Envelope, GantryError } from "@gantry/protocol";
import type { SessionRow } from "../../log/port.ts";
import { LogWriter } from "../log-writer.ts";
import { findPast } from "./find-conversations.ts";
import { IMPORT, type ImportDeps, type ImportRecord } from "./import-job.ts";
import { ConversationReplay } from "./replay.ts";

/**
 * Adds the turns that the conversation got since its import. The position is committed with each turn, so an interrupted
 * catch-up resumes there. Returns the number of added events. Throws `conflict`.
 */
export async function catchUp(deps: ImportDeps, row: SessionRow): Promise<number> {
  const { store, blobs, place } = deps;
  const record = store.records<ImportRecord>(IMPORT).get(row.id);
  if (!record || record.lastSeq !== row.lastSeq) throw changedHere(row.id, record !== undefined);
  const keeper = deps.keeper(record.agent);
  const head = await findPast(keeper, place, record.conversation);
  const [last] = store.tailEvents(row.id, 1);
  const lastAt = last && (JSON.parse(last.json) as Envelope).at;
  const replay = new ConversationReplay(row.view, { id: deps.id, agent: keeper, lastAt });
  const writer = new LogWriter(store, blobs, row.id);
  let outputs = 0;
  for await (const past of keeper.history.read(head, place)) {
    outputs++;
    if (outputs <= record.outputs) continue;
    const continues = replay.view.lastSeq === row.lastSeq && past.output.kind !== "prompted";
    const events = [...(continues ? replay.reopenTurn() : []), ...replay.take(past)];
    await writer.hold(events);
    if (!replay.view.turn) storePosition(outputs);
  }
  if (outputs < record.outputs) throw rewrittenHistoryError(row.id);
  await writer.hold(replay.closeOpen("the imported conversation ends here"));
  storePosition(outputs);
  return replay.view.lastSeq - row.lastSeq;

  function storePosition(position: number): void {
    const value: ImportRecord = { ...record!, outputs: position, lastSeq: replay.view.lastSeq };
    const rows = writer.flush([{ kind: IMPORT, id: row.id, value }]);
    deps.onShown(row.id, rows);
  }
}

function changedHere(session: string, imported: boolean): GantryError {
  const message = imported
    ? `${session} has changed since its import, so new turns of the original conversation cannot be added.`
    : `${session} was not imported: it has this conversation from its own turns.`;
  return new GantryError("conflict", message, { remedy: "Continue the session without `again`." });
}

function rewrittenHistoryError(session: string): GantryError {
  return new GantryError("conflict", `The conversation of ${session} is shorter than when it was imported.`, {
    remedy: "Delete the session and import the conversation again.",
  });
}
