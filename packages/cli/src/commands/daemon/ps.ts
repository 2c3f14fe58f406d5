import type { LiveProcess } from "@gantry/protocol";
import { formatAge, formatDuration, type Paint, renderTable, shortId, stripControls } from "@gantry/terminal";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";

/** Lists the agent processes, the longest idle first. */
export default async function ps(this: Context): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  const list = await client.processes();
  if (output.json) return output.data(list);
  const now = Date.now();
  const rows = list.processes.map((process) => [
    process.pid === undefined ? "" : String(process.pid),
    process.agent,
    stateText(process, now, output.paint),
    output.paint.dim(shortId(process.session)),
    stripControls(process.title),
    process.startedAt ? output.paint.dim(formatAge(process.startedAt, now)) : "",
  ]);
  const columns = ["PID", "AGENT", "STATE", "SESSION", "TITLE", "AGE"].map((title) => ({
    title,
    ...(title === "TITLE" ? { shrink: true } : {}),
  }));
  if (rows.length > 0) output.print(renderTable(columns, rows, { header: output.paint.dim, width: output.width?.() }));
  output.print(output.paint.dim(`${list.processes.length} of at most ${list.max} agent processes`));
}

function stateText({ state, idleSince, releaseAt }: LiveProcess, now: number, paint: Paint): string {
  if (state === "busy") return paint.cyan("● busy");
  if (state === "starting" || !idleSince || !releaseAt) return paint.yellow("◌ starting");
  const rest = formatDuration(Math.max(0, Date.parse(releaseAt) - now));
  return `○ idle for ${formatDuration(Math.max(0, now - Date.parse(idleSince)))}, released in ${rest}`;
}
