import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, checkLive, type LiveReport, type LiveStep } from "@gantry/client";
import type { AgentRow } from "@gantry/protocol";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { exitCodes } from "../../program/exit-codes.ts";
import { absentLines, agentHeader, agentLines } from "../agents/render.ts";
import type { Report } from "./bundle.ts";
import { type Check, environmentChecks } from "./environment.ts";
import { kitChecks, kitStep } from "./kit.ts";
import { checkLines, problemLines, stepLines, summary, troubleLines } from "./render.ts";
import { isUsable, stepsOf, titleStep } from "./step.ts";

export type DoctorFlags = { live: boolean; bundle: boolean; out?: string };

/**
 * Checks everything that a session needs and prints the fix for each problem. Exits 3 when a check fails, 1 when all
 * checks pass but a prompt was not answered.
 */
export default async function doctor(this: Context, flags: DoctorFlags, agent?: string): Promise<void> {
  const { output } = this;
  const checks = environmentChecks(this.home);
  for (const check of checks) show(this, checkLines(check, output.paint, output.width?.()));
  const client = await connect(this);
  const { max, processes } = await client.processes();
  const detail = `answers; ${processes.length} of at most ${max} agent processes run`;
  const asked: Check[] = [{ name: "daemon", state: "ok", detail }, ...(await kitChecks(client))];
  for (const check of asked) show(this, checkLines(check, output.paint, output.width?.()));
  const rows = agent === undefined ? await allAgents(this, client) : [await oneAgent(this, client, agent)];
  const reports: LiveReport[] = [];
  for (const row of flags.live ? rows.filter(isUsable) : []) {
    if (agent === undefined) show(this, ["", output.paint.bold(row.id)]);
    reports.push(await runLiveCheck(this, client, row));
  }
  if (agent === undefined) show(this, ["", summary(rows, reports)]);
  const broken = checks.some((check) => check.state === "fail");
  const unusable = agent !== undefined && !rows.every(isUsable);
  if (reports.some(({ ok }) => !ok)) this.process.exitCode = exitCodes.failed;
  if (broken || unusable) this.process.exitCode = exitCodes.environment;
  const report = { checks: [...checks, ...asked], agents: rows };
  const bundle = flags.bundle ? await makeBundle(this, client, report, flags.out) : undefined;
  if (output.json) output.data({ ...report, live: flags.live ? reports : undefined, bundle });
}

async function makeBundle(context: Context, client: Client, report: Report, out?: string) {
  const { writeBundle } = await import("./bundle.ts");
  const bundle = await writeBundle(context, client, report, out);
  const read = `It contains ${bundle.files.join(", ")}. Read it before you send it: tar -xzf ${bundle.path}`;
  show(context, ["", `Wrote ${bundle.path}`, read]);
  return bundle;
}

/** One row for each agent as its probe finishes; missing agents at the end. */
async function allAgents(context: Context, client: Client): Promise<AgentRow[]> {
  const { output } = context;
  const { paint, width } = output;
  const rows: AgentRow[] = [];
  show(context, ["", agentHeader(paint)]);
  for await (const row of client.agents.stream(true)) {
    rows.push(row);
    if (row.state !== "missing") show(context, agentLines(row, paint, width?.()));
  }
  const absent = rows.filter(({ state }) => state === "missing");
  show(context, absentLines(absent, paint, width?.()));
  return rows;
}

async function oneAgent(context: Context, client: Client, id: string): Promise<AgentRow> {
  const { paint, width } = context.output;
  const { agent, titles } = await client.call("getAgent", { params: { id }, query: { refresh: "1" } });
  show(context, ["", `${paint.bold(agent.id)} ${paint.dim(agent.name)}`]);
  for (const step of [...stepsOf(agent), ...kitStep(agent), titleStep(titles)])
    show(context, stepLines(step, paint, width?.()));
  for (const problem of agent.problems) show(context, problemLines(problem, paint, width?.()));
  return agent;
}

/** Sends one short prompt to an agent in an empty temporary folder. */
async function runLiveCheck(context: Context, client: Client, { id }: AgentRow): Promise<LiveReport> {
  const { output } = context;
  const { paint, width } = output;
  const cwd = mkdtempSync(join(tmpdir(), "gantry-doctor-"));
  try {
    const onStep = (step: LiveStep) => show(context, stepLines(step, paint, width?.()));
    const report = await checkLive(client, { agent: id, cwd, onStep });
    if (report.trouble) show(context, troubleLines(report.trouble, paint, width?.()));
    return report;
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

function show({ output }: Context, lines: readonly string[]): void {
  if (!output.json) output.print(lines);
}
