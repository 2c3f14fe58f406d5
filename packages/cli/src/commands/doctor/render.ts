import type { LiveReport, Trouble } from "@gantry/client";
import type { AgentRow, Problem } from "@gantry/protocol";
import { formatDuration, hangText, type Paint, padText, stripControls } from "@gantry/terminal";
import type { Check } from "./environment.ts";
import { isUsable, type Step } from "./step.ts";

const NAME = 14;
const TIME = 9;

export function checkLines(check: Check, paint: Paint, width?: number): string[] {
  return [
    ...hangText(`${sign(check.state, paint)} ${padText(check.name, NAME)}`, check.detail, width),
    ...(check.fix ? fixLines(check.fix, paint, width) : []),
  ];
}

/** A step with the time it took, where it took some. */
export function stepLines(step: Step, paint: Paint, width?: number): string[] {
  const time = step.ms === undefined ? "" : paint.dim(padText(formatDuration(step.ms), TIME));
  const label = `${sign(step.state, paint)} ${padText(step.name, NAME)}${time}`;
  return hangText(label, stripControls(step.detail ?? ""), width).map((line) => line.trimEnd());
}

export function problemLines(problem: Problem, paint: Paint, width?: number): string[] {
  return [
    ...hangText(`  ${paint.yellow("!")} `, stripControls(problem.message), width),
    ...(problem.fix ? hangText(`    ${paint.dim("fix:")} `, stripControls(problem.fix), width) : []),
  ];
}

export function troubleLines({ message, remedy, offer }: Trouble, paint: Paint, width?: number): string[] {
  return [
    ...hangText(" ".repeat(NAME + 2), stripControls(message), width),
    ...(remedy ? fixLines(stripControls(remedy), paint, width) : []),
    ...(offer ? hangText(`${" ".repeat(NAME + 2)}${paint.dim("run:")} `, offer.display, width) : []),
  ];
}

/** How things stand, in one line: `6 ready, 1 not logged in, 9 not installed`. */
export function summary(rows: readonly AgentRow[], reports: readonly LiveReport[]): string {
  const count = (fits: (row: AgentRow) => boolean, word: string) => {
    const found = rows.filter(fits).length;
    return found > 0 ? `${found} ${word}` : undefined;
  };
  const answered = reports.filter(({ ok }) => ok).length;
  const parts = [
    count(isUsable, "ready"),
    count((row) => row.state === "ready" && !isUsable(row), "not logged in"),
    count(({ state }) => state === "broken", "broken"),
    count(({ state }) => state === "unknown", "did not answer"),
    count(({ state }) => state === "missing", "not installed"),
    reports.length > 0 ? `${answered} of ${reports.length} answered a prompt` : undefined,
  ];
  return parts.filter((part) => part !== undefined).join(", ");
}

function fixLines(fix: string, paint: Paint, width?: number): string[] {
  return hangText(`${" ".repeat(NAME + 2)}${paint.dim("fix:")} `, fix, width);
}

function sign(state: Step["state"], paint: Paint): string {
  return { ok: paint.green("✓"), warn: paint.yellow("!"), fail: paint.red("✗") }[state];
}
