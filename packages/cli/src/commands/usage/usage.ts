import type { UsageRow } from "@gantry/protocol";
import { formatAmount, formatDuration, formatTokens, pluralize, renderTable, shortId } from "@gantry/terminal";
import { resolveSession } from "../../arguments/resolve.ts";
import { momentOf } from "../../arguments/times.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";

type Key = "agent" | "model" | "day" | "session" | "lane" | "turn";
export type UsageFlags = { by: readonly Key[]; since?: string; until?: string; session?: string; lane?: string };

/** Tokens and cost, grouped. */
export default async function usage(this: Context, flags: UsageFlags): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  const { lane } = flags;
  const session = flags.session && (await resolveSession(client, flags.session)).id;
  const times = { since: momentOf(flags.since), until: momentOf(flags.until) };
  const report = await client.call("usage", { query: { by: flags.by.join(","), ...times, session, lane } });
  if (output.json) return output.data(report);
  if (report.rows.length === 0) return output.print("Nothing has been used yet.");
  const figures = (row: UsageRow) => [
    String(row.turns),
    formatTokens(row.usage.input),
    formatTokens(row.usage.cacheRead),
    formatTokens(row.usage.output),
    row.ttftMs ? formatDuration(row.ttftMs.median) : "–",
    cost(row),
  ];
  const keys = (row: UsageRow) => flags.by.map((key) => (isId(key) ? shortId(row[key] ?? "") : (row[key] ?? "–")));
  const total = [...flags.by.map((_key, index) => (index === 0 ? "total" : "")), ...figures(report.total)];
  const columns = [...flags.by, "turns", "input", "cached", "output", "first output", "cost"].map((title) => ({
    title: title.toUpperCase(),
  }));
  const rows = report.rows.map((row) => [...keys(row), ...figures(row)]);
  const lines = renderTable(columns, [...rows, total], { header: output.paint.dim });
  output.print([...lines.slice(0, -1), output.paint.bold(lines.at(-1) ?? "")]);
  const { unpriced = 0 } = report.total;
  if (unpriced > 0) output.print(output.paint.dim(`?: the cost of ${pluralize(unpriced, "turn")} is unknown`));
}

function isId(key: Key): boolean {
  return key === "session" || key === "turn";
}

/** `~` marks figures that include our own computation from list prices, `?` those that lack turns. */
function cost(row: UsageRow): string {
  const unknown = row.unpriced ? "?" : "";
  if (row.cost.usd === 0) return unknown || "–";
  return `${row.cost.list > 0 ? "~" : ""}$${formatAmount(row.cost.usd)}${unknown && ` ${unknown}`}`;
}
