import type { Envelope, EventData, Failure } from "@gantry/protocol";
import type { LimitRow, TurnRow } from "./row.ts";
import type { RowTree } from "./row-tree.ts";

/** Failures for which the daemon holds a session. */
const HOLDABLE: readonly Failure["category"][] = ["rate_limit", "quota", "overloaded"];

/**
 * A limit has one row from the first refusal to its end, however often it was tried in between. The refused turns that led
 * to it have no separate rows.
 */
export function foldLimit(tree: RowTree, event: Envelope<"limit.reached">): void {
  const refused = takeRefusedTurns(tree);
  const last = tree.get(tree.children().at(-1) ?? "");
  const before = last?.kind === "limit" && isSameLimit(last.limit, event.data) ? last : undefined;
  const failure = refused.at(-1)?.ended.error ?? before?.failure;
  const row: LimitRow = {
    kind: "limit",
    key: before?.key ?? `seq:${event.seq}`,
    events: [...(before?.events ?? []), ...refused.flatMap((turn) => turn.events), event],
    limit: event.data,
    ended: false,
    refusals: (before?.refusals ?? 0) + refused.length,
    ...(failure ? { failure } : {}),
  };
  if (before) tree.replace(row);
  else tree.append(row);
}

/** A failure that a live limit explains belongs to its row. Returns whether there is one. */
export function foldRefusal(tree: RowTree, event: Envelope, failure: Failure): boolean {
  const row = tree.findLatest("limit");
  if (!row || row.ended || !HOLDABLE.includes(failure.category)) return false;
  tree.replace({ ...row, failure, events: [...row.events, event] });
  return true;
}

/** The turn without a failure that the row of a live limit shows. */
export function withoutKnownRefusal(tree: RowTree, turn: TurnRow): TurnRow {
  const { failure } = turn;
  const row = tree.findLatest("limit");
  if (!failure || !row || row.ended || !HOLDABLE.includes(failure.category)) return turn;
  return { ...turn, failure: undefined };
}

/** Removes the refused turns at the end of the transcript: their messages are queued again, and nothing else happened. */
function takeRefusedTurns(tree: RowTree): TurnRow[] {
  const taken: TurnRow[] = [];
  for (;;) {
    const row = tree.get(tree.children().at(-1) ?? "");
    if (row?.kind === "error" && HOLDABLE.includes(row.failure.category)) tree.remove(row.key);
    else if (row?.kind === "turn" && isRefused(tree, row)) {
      tree.remove(row.key);
      taken.unshift(row);
    } else return taken;
  }
}

function isRefused(tree: RowTree, { ended, messages }: TurnRow): boolean {
  if (ended.outcome !== "failed" || !ended.error || !HOLDABLE.includes(ended.error.category)) return false;
  return messages.length > 0 && messages.every((id) => tree.find("user", `message:${id}`)?.delivery === "queued");
}

function isSameLimit(a: EventData<"limit.reached">, b: EventData<"limit.reached">): boolean {
  return a.limit !== undefined && b.limit !== undefined
    ? a.limit === b.limit
    : a.provider === b.provider && a.account === b.account && a.window === b.window;
}
