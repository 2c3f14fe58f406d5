import type { Envelope, FileChange } from "@gantry/protocol";
import { withoutKnownRefusal } from "./fold-limit.ts";
import type { TurnRow } from "./row.ts";
import type { OpenTurn, RowTree } from "./row-tree.ts";

/** A turn is shown by its end, with usage, changes and failure. */
export function foldTurn(tree: RowTree, event: Envelope<"turn.started" | "turn.ended" | "diff.updated">): void {
  const id = event.turn ?? (event.type === "diff.updated" ? event.data.turn : undefined) ?? "";
  if (event.type === "diff.updated" && foldCheckpointDiff(tree, id, event)) return;
  const turn = tree.turn(id);
  if (event.type === "turn.started") turn.started = event;
  else if (event.type === "diff.updated") turn.changes.push(event);
  else {
    endStall(tree, event);
    tree.append(withoutKnownRefusal(tree, endedTurn(id, turn, event)));
    tree.turns.delete(id);
  }
}

/**
 * Handles diffs of checkpoints: the exact diff arrives after the turn's end and replaces its changes; a revert becomes a
 * note. Returns false for a diff that the agent reported during the turn.
 */
function foldCheckpointDiff(tree: RowTree, id: string, event: Envelope<"diff.updated">): boolean {
  const { before, after, revert, files } = event.data;
  const row = tree.find("turn", `turn:${id}`);
  if (row && before && after && !revert) {
    const changes = event.data.shared ? splitChanges(files, row.changes) : { changes: files, unattributed: [] };
    tree.replace({ ...row, ...changes, events: [...row.events, event], checkpointed: true });
  }
  if (revert)
    tree.append({
      kind: "note",
      key: `seq:${event.seq}`,
      events: [event],
      tone: "plain",
      text: revertText(event.data),
    });
  return row !== undefined || revert !== undefined || (before !== undefined && after === undefined);
}

/**
 * Files of a folder in which several sessions worked at the same time. Only those that a tool of this session reported are
 * certainly its own.
 */
function splitChanges(
  files: readonly FileChange[],
  reported: readonly FileChange[],
): Pick<TurnRow, "changes" | "unattributed"> {
  const paths = reported.flatMap(({ path, to }) => (to === undefined ? [path] : [path, to]));
  const own = new Set(paths.map((path) => findReported(files, path)));
  return { changes: files.filter((file) => own.has(file)), unattributed: files.filter((file) => !own.has(file)) };
}

/** The file that a tool reported. Its path may be absolute, so the file with the longest common end is the one. */
function findReported(files: readonly FileChange[], reported: string): FileChange | undefined {
  const isEnd = (name: string | undefined) =>
    name !== undefined && (reported === name || reported.endsWith(`/${name.replace(/^\.\//, "")}`));
  const found = files.filter(({ path, to }) => isEnd(path) || isEnd(to));
  return found.toSorted((a, b) => b.path.length - a.path.length)[0];
}

function revertText({ files, revert }: Envelope<"diff.updated">["data"]): string {
  const count = files.length === 1 ? "1 file" : `${files.length} files`;
  return `Reverted ${count} to the state ${revert?.to} the turn.`;
}

/** The end of a turn also ends a stall. */
function endStall(tree: RowTree, event: Envelope<"turn.ended">): void {
  const row = tree.findLatest("stalled");
  if (row && !row.ended) tree.replace({ ...row, events: [...row.events, event], ended: true });
}

function endedTurn(id: string, turn: OpenTurn, event: Envelope<"turn.ended">): TurnRow {
  const ended = event.data;
  const isReported = ended.error && turn.errors.includes(ended.error.message);
  return {
    kind: "turn",
    key: `turn:${id}`,
    events: [...(turn.started ? [turn.started] : []), ...turn.changes, event],
    turn: id,
    messages: turn.started?.data.messages ?? [],
    ended,
    durationMs: waitedMs(turn, event),
    cost: ended.cost,
    changes: changedFiles(turn.changes),
    unattributed: [],
    checkpointed: false,
    failure: isReported ? undefined : ended.error,
  };
}

/** Each file once, with its last reported change. Diffs of the whole turn take precedence over those of its tools. */
function changedFiles(reported: OpenTurn["changes"]): FileChange[] {
  const whole = reported.filter((event) => event.type === "diff.updated");
  const files = new Map<string, FileChange>();
  for (const event of whole.length > 0 ? whole : reported) {
    const changes = event.type === "diff.updated" ? event.data.files : (event.data.changes ?? []);
    for (const change of changes) files.set(change.path, change);
  }
  return [...files.values()];
}

/** The agent counts only its own work; a person also waits for its start. Imported events have no such time. */
function waitedMs({ started }: OpenTurn, { at, data }: Envelope<"turn.ended">): number | undefined {
  const elapsed = started ? Date.parse(at) - Date.parse(started.at) : 0;
  return started || data.durationMs !== undefined ? Math.max(data.durationMs ?? 0, elapsed) : undefined;
}
