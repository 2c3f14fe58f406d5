import type { Client } from "@gantry/client";
import type { AgentRow } from "@gantry/protocol";
import type { Context } from "../context.ts";
import { connect } from "../daemon/connect.ts";
import { type Check, environmentChecks } from "../doctor/environment.ts";
import { type LiveReport, tryLive } from "../doctor/live.ts";
import { usageError } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";
import { agentHeader, agentLines } from "../render/agent.ts";
import { duration } from "../render/figures.ts";
import { printable } from "../terminal/width.ts";

export type DoctorFlags = { live: boolean };

/** Looks at everything that a session needs, with the exact fix for what is wrong; exits 3 when something is. */
export default async function doctor(this: Context, flags: DoctorFlags, agent?: string): Promise<void> {
  const { output } = this;
  const checks = environmentChecks(this.home);
  if (!output.json) for (const check of checks) printCheck(this, check);
  const client = await connect(this);
  const running: Check = { name: "daemon", state: "ok", detail: "answers" };
  if (!output.json) printCheck(this, running);
  const rows = await agentRows(this, client, agent);
  const reports: LiveReport[] = [];
  if (flags.live) {
    for (const row of rows.filter((one) => one.state === "ready")) {
      const report = await tryLive(client, row.id);
      reports.push(report);
      if (!output.json) printLive(this, report);
    }
  }
  const broken = checks.some((check) => check.state === "fail") || reports.some((report) => !report.ok);
  const unusable = agent !== undefined && rows.some((row) => row.state !== "ready" || row.auth.state === "missing");
  if (broken || unusable) this.process.exitCode = exitCodes.environment;
  if (output.json) output.data({ checks: [...checks, running], agents: rows, live: flags.live ? reports : undefined });
}

async function agentRows({ output }: Context, client: Client, only: string | undefined): Promise<AgentRow[]> {
  const rows: AgentRow[] = [];
  if (!output.json) output.print(["", agentHeader(output.paint)]);
  for await (const row of client.agents.stream(true)) {
    if (only !== undefined && row.id !== only) continue;
    rows.push(row);
    if (!output.json) output.print(agentLines(row, output.paint));
  }
  if (only !== undefined && rows.length === 0)
    throw usageError(`There is no agent \`${only}\`.`, "`gantry agents` lists them.");
  return rows;
}

function printCheck({ output }: Context, check: Check): void {
  const { paint } = output;
  const sign = { ok: paint.green("✓"), warn: paint.yellow("!"), fail: paint.red("✗") }[check.state];
  output.print(`${sign} ${check.name.padEnd(8)} ${check.detail}`);
  if (check.fix) output.print(`           ${paint.dim("fix:")} ${check.fix}`);
}

function printLive({ output }: Context, report: LiveReport): void {
  const { paint } = output;
  if (report.ok) {
    const first = report.firstOutputMs === undefined ? "" : `, first words after ${duration(report.firstOutputMs)}`;
    return output.print(
      `${paint.green("✓")} ${report.agent} answered "${printable(report.answer)}" in ${duration(report.totalMs)}${first}`,
    );
  }
  output.print(`${paint.red("✗")} ${report.agent}: ${printable(report.problem)}`);
  if (report.remedy) output.print(`    ${paint.dim("fix:")} ${report.remedy}`);
}
