import type { TurnRow } from "@gantry/protocol";
import { formatAgo, formatDollars, formatTokens, renderTable, shortId } from "@gantry/terminal";
import { resolveSession } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";

const COLUMNS = ["#", "TURN", "OUTCOME", "STARTED", "TOKENS", "COST", "FILES", "CHECKPOINT"].map((title) => ({
  title,
}));

/** The turns of a session, and what can be done with each. */
export default async function turns(this: Context, _flags: Record<never, never>, name: string): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  const { id } = await resolveSession(client, name);
  const rows = await client.turns.list(id);
  if (output.json) return output.data({ turns: rows });
  if (rows.length === 0) return output.print("No turn has started yet.");
  output.print(
    renderTable(
      COLUMNS,
      rows.map((row, index) => cells(row, index + 1)),
      { header: output.paint.dim },
    ),
  );
}

function cells(row: TurnRow, number: number): string[] {
  const { before, after } = row.checkpoint;
  const snapshots = before && after ? "both" : before ? "before" : after ? "after" : "–";
  return [
    String(number),
    shortId(row.turn),
    row.outcome ?? "running",
    formatAgo(row.startedAt, Date.now()),
    row.usage ? formatTokens(row.usage.input + row.usage.output) : "–",
    row.cost ? formatDollars(row.cost) : "–",
    row.diff ? summariseDiff(row.diff) : "–",
    snapshots,
  ];
}

function summariseDiff({ files, additions, deletions, shared }: NonNullable<TurnRow["diff"]>): string {
  if (files === 0) return "none";
  return `${files} (+${additions} -${deletions})${shared ? " shared" : ""}`;
}
