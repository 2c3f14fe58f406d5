import type { UsageRow } from "@gantry/protocol";
import { formatAmount, formatDuration, formatTokens, pluralize, renderTable, shortId } from "@gantry/terminal";
import { resolveSession } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { usageError } from "../../program/errors.ts";

type Key = "agent" | "model" | "day" | "session" | "lane" | "turn";
export type UsageFlags = { by: readonly Key[]; since?: string; until?: string; session?: string; lane?: string };

/** Tokens and cost, grouped. */
export default async function usage(this: Context, flags: UsageFlags): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  const { lane } = flags;
  const session = flags.session && (await resolveSession(client, flags.session)).id;
  const times = { since: toInstant(flags.since), until: toInstant(flags.until) };
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

const SPANS = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** Converts a day, a time, `today` or an age such as `7d` to what the API accepts. */
function toInstant(given: string | undefined): string | undefined {
  if (given === undefined || /^\d{4}-\d\d-\d\d$/.test(given)) return given;
  if (given === "today") return new Date(new Date().setHours(0, 0, 0, 0)).toISOString();
  const [, count, unit] = /^(\d+)([hdw])$/.exec(given) ?? [];
  const at = count ? Date.now() - Number(count) * SPANS[unit as keyof typeof SPANS] : Date.parse(given);
  if (Number.isNaN(at)) throw usageError(`${given} is neither a day nor a time, such as 2026-11-01, 7d or today.`);
  return new Date(at).toISOString();
}
