import type { Envelope, TurnRow } from "@gantry/protocol";
import type { Kept } from "./work-tree/refs.ts";

type TurnEvent = Envelope<"turn.started" | "turn.ended" | "diff.updated">;

/** The turns of a log in their order, from the events that tell of them, and what is kept of each. */
export function turnsOf(events: Iterable<Envelope>, kept: Kept): TurnRow[] {
  const rows = new Map<string, TurnRow>();
  for (const event of events as Iterable<TurnEvent>) {
    const turn = event.turn ?? "";
    const row = rows.get(turn);
    if (event.type === "turn.started") rows.set(turn, begun(event, turn, kept));
    else if (row) rows.set(turn, { ...row, ...(event.type === "turn.ended" ? ended(event) : diffed(event)) });
  }
  return [...rows.values()];
}

function begun({ seq, at, data }: Envelope<"turn.started">, turn: string, kept: Kept): TurnRow {
  const before = kept.get(`${turn}/before`)?.commit;
  const after = kept.get(`${turn}/after`)?.commit;
  const checkpoint = { ...(before ? { before } : {}), ...(after ? { after } : {}) };
  return { turn, seq, startedAt: at, trigger: data.trigger, messages: data.messages, checkpoint };
}

function ended({ seq, at, data }: Envelope<"turn.ended">): Partial<TurnRow> {
  const { outcome, reason, error, usage, cost, servedModel } = data;
  const facts = { reason, error, usage, cost, servedModel };
  const told = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
  return { endSeq: seq, endedAt: at, outcome, ...told };
}

/** Only our own figures are exact: an agent tells of what it did by its tools. */
function diffed({ data }: Envelope<"diff.updated">): Partial<TurnRow> {
  if (!data.before || !data.after || data.revert) return {};
  const sum = (key: "additions" | "deletions") => data.files.reduce((total, file) => total + (file[key] ?? 0), 0);
  const total = data.total ?? { files: data.files.length, additions: sum("additions"), deletions: sum("deletions") };
  return { diff: { ...total, ...(data.shared ? { shared: data.shared } : {}) } };
}
