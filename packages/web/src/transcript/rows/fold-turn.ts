import type { Envelope, FileChange } from "@gantry/protocol";
import type { TurnRow } from "./row.ts";
import type { RowTree, TurnSoFar } from "./row-tree.ts";

/** A turn is shown by its end: what it took, what it changed, and what it failed with. */
export function foldTurn(tree: RowTree, event: Envelope<"turn.started" | "turn.ended" | "diff.updated">): void {
  const id = event.turn ?? (event.type === "diff.updated" ? event.data.turn : undefined) ?? "";
  if (event.type === "diff.updated" && toldLater(tree, id, event)) return;
  const turn = tree.turn(id);
  if (event.type === "turn.started") turn.started = event;
  else if (event.type === "diff.updated") turn.changes.push(event);
  else {
    endStall(tree, event);
    tree.append(endedTurn(id, turn, event));
    tree.turns.delete(id);
  }
}

/** What the daemon finds changed is told after the turn's end; a begin and a revert tell of no change by the turn. */
function toldLater(tree: RowTree, id: string, event: Envelope<"diff.updated">): boolean {
  const { before, after, revert, files } = event.data;
  const row = tree.find("turn", `turn:${id}`);
  if (row && before && after && !revert) {
    tree.replace({ ...row, events: [...row.events, event], changes: files, checkpointed: true });
  }
  if (revert)
    tree.append({
      kind: "note",
      key: `seq:${event.seq}`,
      events: [event],
      tone: "plain",
      text: revertWords(event.data),
    });
  return row !== undefined || revert !== undefined || (before !== undefined && after === undefined);
}

function revertWords({ files, revert }: Envelope<"diff.updated">["data"]): string {
  const what = files.length === 1 ? "1 file was" : `${files.length} files were`;
  return `${what} put back to how ${files.length === 1 ? "it was" : "they were"} ${revert?.to} the turn.`;
}

/** A turn that has ended is silent no longer. */
function endStall(tree: RowTree, event: Envelope<"turn.ended">): void {
  const row = tree.latest("stalled");
  if (row && !row.over) tree.replace({ ...row, events: [...row.events, event], over: true });
}

function endedTurn(id: string, turn: TurnSoFar, event: Envelope<"turn.ended">): TurnRow {
  const ended = event.data;
  const told = ended.error && turn.errors.includes(ended.error.message);
  return {
    kind: "turn",
    key: `turn:${id}`,
    events: [...(turn.started ? [turn.started] : []), ...turn.changes, event],
    turn: id,
    messages: turn.started?.data.messages ?? [],
    ended,
    durationMs: ended.durationMs ?? (turn.started ? Date.parse(event.at) - Date.parse(turn.started.at) : undefined),
    cost: ended.cost,
    changes: changedFiles(turn.changes),
    checkpointed: false,
    failure: told ? undefined : ended.error,
  };
}

/** Each file once, as it was told of last. What the whole turn changed counts before what its tools did. */
function changedFiles(told: TurnSoFar["changes"]): FileChange[] {
  const whole = told.filter((event) => event.type === "diff.updated");
  const files = new Map<string, FileChange>();
  for (const event of whole.length > 0 ? whole : told) {
    const changes = event.type === "diff.updated" ? event.data.files : (event.data.changes ?? []);
    for (const change of changes) files.set(change.path, change);
  }
  return [...files.values()];
}
