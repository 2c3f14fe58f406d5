import type { Envelope, TurnRow } from "@gantry/protocol";
import type { StoredCheckpoints } from "./work-tree/refs.ts";

type TurnEvent = Envelope<"turn.started" | "turn.ended" | "diff.updated">;

/** The turns of a log in order, with their checkpoints. */
export function turnsOf(events: Iterable<Envelope>, stored: StoredCheckpoints): TurnRow[] {
  const rows = new Map<string, TurnRow>();
  for (const event of events as Iterable<TurnEvent>) {
    const turn = event.turn ?? "";
    const row = rows.get(turn);
    if (event.type === "turn.started") rows.set(turn, startedRow(event, turn, stored));
    else if (row) rows.set(turn, { ...row, ...(event.type === "turn.ended" ? endFields(event) : diffFields(event)) });
  }
  return [...rows.values()];
}

function startedRow({ seq, at, data }: Envelope<"turn.started">, turn: string, stored: StoredCheckpoints): TurnRow {
  const before = stored.get(`${turn}/before`)?.commit;
  const after = stored.get(`${turn}/after`)?.commit;
  const checkpoint = { ...(before ? { before } : {}), ...(after ? { after } : {}) };
  return { turn, seq, startedAt: at, trigger: data.trigger, messages: data.messages, checkpoint };
}

function endFields({ seq, at, data }: Envelope<"turn.ended">): Partial<TurnRow> {
  const { outcome, reason, error, usage, cost, servedModel } = data;
  const facts = { reason, error, usage, cost, servedModel };
  const present = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
  return { endSeq: seq, endedAt: at, outcome, ...present };
}

/** Uses only diffs of checkpoints: those of agents cover only changes by their tools. */
function diffFields({ data }: Envelope<"diff.updated">): Partial<TurnRow> {
  if (!data.before || !data.after || data.revert) return {};
  const sum = (key: "additions" | "deletions") => data.files.reduce((total, file) => total + (file[key] ?? 0), 0);
  const total = data.total ?? { files: data.files.length, additions: sum("additions"), deletions: sum("deletions") };
  return { diff: { ...total, ...(data.shared ? { shared: data.shared } : {}) } };
}
