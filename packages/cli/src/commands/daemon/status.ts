import type { Client } from "@gantry/client";
import { groupNames, type SessionGroup, sessionGroups, sessionStatus } from "@gantry/protocol";
import { formatDuration, homePath, pluralize, renderFacts } from "@gantry/terminal";
import { allSessions } from "../../arguments/resolve.ts";
import { type Connection, connectIfRunning, versionSkew } from "../../daemon/connect.ts";
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
      output.paint.dim("  any command starts one; `gantry serve` runs it in the foreground"),
    ]);
  }
  const report = await reportOn(found);
  if (output.json) return output.data({ running: true, home: this.home, ...report, commandVersion: this.version });
  const counts = sessionGroups
    .filter((group) => report.groups[group] > 0)
    .map((group) => `${report.groups[group]} ${groupNames[group].toLowerCase()}`);
  const pairs: [string, string | undefined][] = [
    ["daemon", `${output.paint.green("● running")} ${report.url}`],
    ["version", report.version],
    ["pid", `${report.pid}, up ${formatDuration(report.uptimeMs)}`],
    ["home", homePath(this.home)],
    ["sessions", counts.join(", ") || "none"],
    ...report.limits.map((limit): [string, string] => ["limit", output.paint.yellow(limitLine(limit))]),
    [
      "inbox",
      report.inputs > 0 ? output.paint.yellow(`${pluralize(report.inputs, "request")} pending: gantry inbox`) : "empty",
    ],
  ];
  output.print(renderFacts(pairs, output.paint.dim));
  const skew = versionSkew(this.version, report.version);
  if (skew) output.print(output.paint.yellow(skew));
}

async function reportOn({ client, daemon }: Connection) {
  const [health, inbox, counts, limits] = await Promise.all([
    client.call("health", {}),
    client.call("inbox", {}),
    countSessions(client),
    client.limits.list(),
  ]);
  const { url, pid } = daemon;
  return {
    url,
    pid,
    version: health.version,
    uptimeMs: health.uptimeMs,
    ...counts,
    limits,
    inputs: inbox.inputs.length,
  };
}

/** By the state of the API, and by group as people see them. */
async function countSessions(client: Client) {
  const sessions: Record<string, number> = {};
  const groups: Record<SessionGroup, number> = { needs_you: 0, working: 0, held: 0, done: 0 };
  for (const session of await allSessions(client)) {
    sessions[session.state] = (sessions[session.state] ?? 0) + 1;
    groups[sessionStatus(session).group]++;
  }
  return { sessions, groups };
}
