import type { AgentRow, Problem } from "@gantry/protocol";
import type { Paint } from "../terminal/paint.ts";
import { pad, printable } from "../terminal/width.ts";
import { plural } from "./figures.ts";

/** Fixed widths, since rows are printed as they land and none can wait for the others. */
const WIDTHS = { id: 18, version: 14, auth: 16 };

export function agentHeader(paint: Paint): string {
  return paint.dim(`  ${pad("AGENT", WIDTHS.id)}${pad("VERSION", WIDTHS.version)}${pad("LOGIN", WIDTHS.auth)}MODELS`);
}

/** An agent in one row, and below it each problem with its fix. */
export function agentLines(row: AgentRow, paint: Paint): string[] {
  const cells = [
    stateGlyph(row.state, paint),
    " ",
    pad(paint.bold(row.id), WIDTHS.id),
    pad(printable(row.version ?? missingWord(row.state)), WIDTHS.version),
    pad(authWord(row, paint), WIDTHS.auth),
    row.state === "ready" ? modelsWord(row) : "",
  ];
  return [cells.join("").trimEnd(), ...row.problems.flatMap((problem) => problemLines(problem, paint))];
}

/** Agents that are not here, one line each: how to get them is all there is to say. */
export function absentLines(rows: readonly AgentRow[], paint: Paint): string[] {
  if (rows.length === 0) return [];
  const sorted = rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const how = (row: AgentRow) => printable(row.problems[0]?.fix ?? "").replace(/^Install it: /, "");
  const lines = sorted.map((row) => `${stateGlyph(row.state, paint)} ${pad(row.id, WIDTHS.id)}${paint.dim(how(row))}`);
  return ["", paint.dim("  NOT INSTALLED"), ...lines];
}

function problemLines(problem: Problem, paint: Paint): string[] {
  const [first, ...rest] = printable(problem.message).split("\n");
  return [
    `    ${paint.yellow("!")} ${first}`,
    ...rest.map((line) => `      ${line}`),
    ...(problem.fix ? [`      ${paint.dim("fix:")} ${printable(problem.fix)}`] : []),
  ];
}

function stateGlyph(state: AgentRow["state"], paint: Paint): string {
  switch (state) {
    case "ready":
      return paint.green("●");
    case "missing":
      return paint.dim("○");
    case "broken":
      return paint.red("✗");
    case "unknown":
      return paint.yellow("?");
  }
}

function missingWord(state: AgentRow["state"]): string {
  return state === "missing" ? "not installed" : state;
}

function authWord(row: AgentRow, paint: Paint): string {
  if (row.state === "missing") return "";
  if (row.auth.state === "ok") return paint.green("ok");
  return row.auth.state === "missing" ? paint.red("not logged in") : paint.dim("unknown");
}

function modelsWord(row: AgentRow): string {
  const standard = row.models.items.find((model) => model.default);
  const source = row.models.source === "fallback" ? ", built-in list" : "";
  return `${plural(row.models.items.length, "model")}${source}${standard ? ` (${standard.id})` : ""}`;
}
