import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "@gantry/client";
import { runningTasks, type Session, type Task } from "@gantry/protocol";
import { firstLine, formatAge, type Paint, renderTable, shortId, stripControls } from "@gantry/terminal";
import { allSessions, pick, resolveSession } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { usageError } from "../../program/errors.ts";
import { exitCodes } from "../../program/exit-codes.ts";

/** Longer than the default deadline of a stop, after which the daemon ends the task or reports that it still runs. */
const STOP_MS = 30_000;
const POLL_MS = 200;

const USAGE = "gantry tasks [session] [stop|output <task>]";

/** Lists background tasks, of one session or of all, stops one, or prints its output. */
export default async function tasks(this: Context, _flags: Record<never, never>, ...args: string[]): Promise<void> {
  const at = args.findIndex((arg) => arg === "stop" || arg === "output");
  if (at > 1 || (at < 0 && args.length > 1) || (at >= 0 && args.length !== at + 2))
    throw usageError("Give a session, then `stop` or `output` and one task.", USAGE);
  const client = await connect(this);
  const name = at === 0 ? undefined : args[0];
  const sessions = name === undefined ? await withRunningTasks(client) : [await resolveSession(client, name)];
  if (at < 0) return list(this, sessions, name !== undefined);
  const task = args[at + 1] as string;
  return args[at] === "stop" ? stop(this, client, sessions, task) : printOutput(this, client, sessions, task);
}

async function withRunningTasks(client: Client): Promise<Session[]> {
  const sessions = await allSessions(client, { archived: "all", identities: "all" });
  return sessions.filter((session) => runningTasks(session).length > 0);
}

function list({ output }: Context, sessions: readonly Session[], withEnded: boolean): void {
  const rows = sessions.flatMap((session) =>
    (withEnded ? (session.tasks ?? []) : runningTasks(session)).map((task) => ({ session: session.id, ...task })),
  );
  if (output.json) return output.data({ tasks: rows });
  if (rows.length === 0) return output.print("No background tasks.");
  const now = Date.now();
  const table = rows.map((task) => [
    output.paint.bold(task.task),
    stateOf(task, output.paint),
    task.kind,
    firstLine(stripControls(detailOf(task))),
    ...(withEnded ? [] : [output.paint.dim(shortId(task.session))]),
    output.paint.dim(formatAge(task.endedAt ?? task.startedAt, now)),
  ]);
  const titles = ["TASK", "STATE", "KIND", "TITLE", ...(withEnded ? [] : ["SESSION"]), "AGE"];
  const columns = titles.map((title) => ({ title, ...(title === "TITLE" ? { shrink: true } : {}) }));
  output.print(renderTable(columns, table, { header: output.paint.dim, width: output.width?.() }));
}

/** A task in one line, for `attach`. */
export function taskLine(task: Task, paint: Paint): string {
  const age = paint.dim(formatAge(task.endedAt ?? task.startedAt, Date.now()));
  return `${stateOf(task, paint)} ${paint.dim(task.kind)} ${firstLine(stripControls(detailOf(task)))} ${age}`;
}

function stateOf({ status, stopping, exitCode }: Task, paint: Paint): string {
  if (status === "running") return stopping ? paint.yellow("◌ stopping") : paint.cyan("● running");
  if (status === "ok") return paint.green("✓ done");
  if (status === "error") return paint.red(`✗ failed${exitCode === undefined ? "" : ` (${exitCode})`}`);
  return status === "stopped" ? paint.yellow("■ stopped") : paint.red("✗ lost");
}

function detailOf({ title, activity, url, reason, status, summary }: Task): string {
  const more = status === "running" ? (url ?? activity) : (reason ?? (status === "ok" ? undefined : summary));
  return more === undefined || more === title ? title : `${title}: ${more}`;
}

function findTask(sessions: readonly Session[], name: string): { id: string; session: string } {
  const all = sessions.flatMap((session) =>
    (session.tasks ?? []).map((task) => ({ id: task.task, title: task.title, session: session.id })),
  );
  return pick("background task", name, all, "gantry tasks");
}

async function printOutput(
  { output }: Context,
  client: Client,
  sessions: readonly Session[],
  name: string,
): Promise<void> {
  const { id, session } = findTask(sessions, name);
  const found = await client.tasks.output(session, id);
  if (output.json) return output.data({ session, task: id, ...found });
  if (found.source === "none") return output.print("The agent reports no output of this task.");
  output.print(stripControls(found.text.trimEnd()));
}

async function stop(context: Context, client: Client, sessions: readonly Session[], name: string): Promise<void> {
  const { output } = context;
  const { id, session } = findTask(sessions, name);
  const asked = await client.tasks.stop(session, id);
  const task = await untilEnded(client, session, asked);
  if (task.status === "running") context.process.exitCode = exitCodes.failed;
  if (output.json) return output.data({ session, ...task });
  if (task.status === "running")
    return output.print(
      `${id} did not stop and still runs. \`gantry close ${shortId(session)}\` ends the agent with its tasks.`,
    );
  if (asked.status !== "running") return output.print(`${id} had ended already (${task.status})`);
  output.print(task.status === "stopped" ? `stopped ${id}` : `${id} ended (${task.status})`);
}

async function untilEnded(client: Client, session: string, asked: Task): Promise<Task> {
  const deadline = performance.now() + STOP_MS;
  for (let task = asked; ; ) {
    if (task.status !== "running" || !task.stopping || performance.now() > deadline) return task;
    await delay(POLL_MS);
    task = (await client.tasks.list(session)).find((entry) => entry.task === asked.task) ?? task;
  }
}
