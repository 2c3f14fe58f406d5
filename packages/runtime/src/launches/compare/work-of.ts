import { addUsage, type ComparedLane, type Cost, type Envelope, noUsage, type RanCommand } from "@gantry/protocol";
import { testRun } from "./tests-run.ts";

/** The work of a lane's sessions, from their logs. */
export type Work = Pick<
  ComparedLane,
  "commands" | "tests" | "turns" | "durationMs" | "usage" | "cost" | "outcome" | "last"
>;

const MOST_COMMANDS = 500;
const LONGEST_COMMAND = 2000;
const LONGEST_LAST = 4000;

/** Reads the logs of a lane's sessions in order. */
export function workOf(logs: Iterable<readonly Envelope[]>): Work {
  const work: Work = { commands: [], tests: { passed: 0, failed: 0 }, turns: 0, durationMs: 0, usage: noUsage };
  for (const events of logs) readLog(work, events);
  return { ...work, commands: work.commands.slice(-MOST_COMMANDS) };
}

function readLog(work: Work, events: readonly Envelope[]): void {
  const commands = new Map<string, string>();
  let began: string | undefined;
  for (const event of events) {
    if (event.type === "turn.started") began = event.at;
    if (event.type === "turn.ended") endTurn(work, event, began);
    if (event.type === "tool.started" && event.data.kind === "execute") {
      commands.set(event.data.item, commandOf(event.data.input) ?? event.data.title);
    }
    if (event.type === "tool.updated" && commands.has(event.data.item)) {
      const better = commandOf(event.data.patch.input);
      if (better) commands.set(event.data.item, better);
    }
    if (event.type === "tool.ended" && commands.has(event.data.item)) {
      endCommand(work, event, commands.get(event.data.item) ?? "");
    }
    if (event.type === "message.done" && event.data.parent === undefined && event.data.text.trim()) {
      work.last = event.data.text.slice(0, LONGEST_LAST);
    }
  }
}

function endTurn(work: Work, event: Envelope<"turn.ended">, began: string | undefined): void {
  const { outcome, usage, cost, durationMs } = event.data;
  work.turns++;
  work.outcome = outcome;
  work.durationMs += durationMs ?? (began ? Math.max(0, Date.parse(event.at) - Date.parse(began)) : 0);
  if (usage) work.usage = addUsage(work.usage, usage);
  if (cost) work.cost = addCost(work.cost, cost);
}

function endCommand(work: Work, event: Envelope<"tool.ended">, command: string): void {
  const { status, exitCode, durationMs } = event.data;
  const test = testRun(command);
  const row: RanCommand = {
    session: event.session,
    seq: event.seq,
    command: command.slice(0, LONGEST_COMMAND),
    status,
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(test ? { test: test.runner } : {}),
  };
  work.commands.push(row);
  const ran = status === "ok" || status === "error";
  if (!test?.isConclusive || !ran) return;
  const passed = typeof exitCode === "number" ? exitCode === 0 : status === "ok";
  const { tests } = work;
  work.tests = {
    passed: tests.passed + Number(passed),
    failed: tests.failed + Number(!passed),
    last: passed ? "passed" : "failed",
  };
}

/** The sum is a list price if any part is. */
function addCost(before: Cost | undefined, cost: Cost): Cost {
  return { usd: (before?.usd ?? 0) + cost.usd, source: before?.source === "list" ? "list" : cost.source };
}

function commandOf(input: unknown): string | undefined {
  const given = input as { command?: unknown; cmd?: unknown; script?: unknown } | null | undefined;
  const command = given?.command ?? given?.cmd ?? given?.script;
  if (typeof command === "string" && command) return command;
  if (!Array.isArray(command) || command.length === 0) return undefined;
  // A shell with one argument is shown as that argument.
  if (command.length === 3 && /^-\w*c/.test(String(command[1]))) return String(command[2]);
  return command.map(String).join(" ");
}
