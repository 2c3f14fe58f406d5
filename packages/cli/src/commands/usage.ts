import type { UsageRow } from "@gantry/protocol";
import type { Context } from "../context.ts";
import { connect } from "../daemon/connect.ts";
import { amount, tokens } from "../render/figures.ts";
import { shortId } from "../render/names.ts";
import { table } from "../render/table.ts";

export type UsageFlags = { by: readonly ("agent" | "model" | "day" | "session")[] };

/** Tokens and cost, grouped. */
export default async function usage(this: Context, flags: UsageFlags): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  const report = await client.call("usage", { query: { by: flags.by.join(",") } });
  if (output.json) return output.data(report);
  if (report.rows.length === 0) return output.print("Nothing has been used yet.");
  const figures = (row: UsageRow) => [
    String(row.turns),
    tokens(row.usage.input),
    tokens(row.usage.cacheRead),
    tokens(row.usage.output),
    cost(row),
  ];
  const keys = (row: UsageRow) =>
    flags.by.map((key) => (key === "session" ? shortId(row.session ?? "") : (row[key] ?? "–")));
  const total = [...flags.by.map((_key, index) => (index === 0 ? "total" : "")), ...figures(report.total)];
  const columns = [...flags.by, "turns", "input", "cached", "output", "cost"].map((title) => ({
    title: title.toUpperCase(),
  }));
  const rows = report.rows.map((row) => [...keys(row), ...figures(row)]);
  const lines = table(columns, [...rows, total], { header: output.paint.dim });
  output.print([...lines.slice(0, -1), output.paint.bold(lines.at(-1) ?? "")]);
}

/** `~` marks figures that include our own computation from list prices. */
function cost(row: UsageRow): string {
  if (row.cost.usd === 0) return "–";
  return `${row.cost.list > 0 ? "~" : ""}$${amount(row.cost.usd)}`;
}
