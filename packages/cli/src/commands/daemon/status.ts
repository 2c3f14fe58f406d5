import type { Client } from "@gantry/client";
import { formatDuration, homePath, pluralize, renderFacts } from "@gantry/terminal";
import { allSessions } from "../../arguments/resolve.ts";
import { type Connection, connectIfRunning } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { exitCodes } from "../../program/exit-codes.ts";
import { limitLine } from "../limits/render.ts";

/** Is a daemon running, and what is it busy with? Never starts one; exits 3 when there is none. */
export default async function status(this: Context): Promise<void> {
  const { output } = this;
  const found = await connectIfRunning(this);
  if (!found) {
    this.process.exitCode = exitCodes.environment;
    if (output.json) return output.data({ running: false, home: this.home });
    return output.print([
      "no daemon is running",
      output.paint.dim("  any command starts one; `gantry serve` runs it in front of you"),
    ]);
  }
  const report = await reportOn(found);
  if (output.json) return output.data({ running: true, home: this.home, ...report });
  const counts = Object.entries(report.sessions).map(([state, count]) => `${count} ${state}`);
  const pairs: [string, string | undefined][] = [
    ["daemon", `${output.paint.green("● running")} ${report.url}`],
    ["version", report.version],
    ["pid", `${report.pid}, up ${formatDuration(report.uptimeMs)}`],
    ["home", homePath(this.home)],
    ["sessions", counts.join(", ") || "none"],
    ...report.limits.map((limit): [string, string] => ["limit", output.paint.yellow(limitLine(limit))]),
    [
      "inbox",
      report.inputs > 0 ? output.paint.yellow(`${pluralize(report.inputs, "answer")} awaited: gantry inbox`) : "empty",
    ],
  ];
  output.print(renderFacts(pairs, output.paint.dim));
}

async function reportOn({ client, daemon }: Connection) {
  const [health, inbox, sessions, limits] = await Promise.all([
    client.call("health", {}),
    client.call("inbox", {}),
    countByState(client),
    client.limits.list(),
  ]);
  const { url, pid } = daemon;
  return {
    url,
    pid,
    version: health.version,
    uptimeMs: health.uptimeMs,
    sessions,
    limits,
    inputs: inbox.inputs.length,
  };
}

async function countByState(client: Client): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const session of await allSessions(client)) counts[session.state] = (counts[session.state] ?? 0) + 1;
  return counts;
}
