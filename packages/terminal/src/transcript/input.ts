import type { Envelope, InputRequest, Question } from "@gantry/protocol";
import { renderChangeCount } from "../render/diff.ts";
import { renderMarkdown } from "../render/markdown-rows.ts";
import { insidePath, shortId } from "../text/names.ts";
import type { Paint } from "../text/paint.ts";
import { themeOf } from "../text/theme.ts";
import { stripControls } from "../text/width.ts";
import { type Frame, fitRows } from "./entry.ts";
import { changeLines } from "./tool.ts";

const headings: Record<InputRequest["kind"], string> = {
  approval: "Approval needed",
  question: "Question",
  plan: "Plan to approve",
  permissions: "Permission needed",
  elicitation: "Question",
  login: "Login needed",
};

/** In a pipe the answer is a command, and `gantry inbox` shows the rest of a long diff. */
const PIPED_DIFF_LINES = 40;

/** An input request with everything that a person needs to decide: on a terminal, the whole diff. */
export function renderInput(input: InputRequest, frame: Frame, cwd?: string): string[] {
  const { paint } = frame;
  const bar = paint.yellow("┃");
  const title = input.questions.some((question) => question.text === input.title) ? "" : stripControls(input.title);
  const head = `${paint.yellow(paint.bold(headings[input.kind]))}  ${title}`;
  const lines = fitRows([head, ...detailLines(input, frame, cwd)], frame, 2);
  return lines.map((line) => `${bar} ${line}`.trimEnd());
}

/** The commands that answer from another shell; shown in pipes. */
export function answerHints(input: InputRequest): string[] {
  const id = shortId(input.id);
  if (input.questions.length > 0) {
    const flags = input.questions.map((question) => `--answer ${question.id}=${example(question)}`).join(" ");
    return [`gantry answer ${id} allow ${flags}`, `gantry deny ${id}`];
  }
  if (input.kind === "login") {
    const ways = input.options.filter(({ effect }) => effect.startsWith("allow"));
    return [...ways.map((way) => `gantry allow ${id} --option ${way.id}    # ${way.label}`), `gantry deny ${id}`];
  }
  const lines = [`gantry allow ${id}`];
  if (input.scope) lines.push(`gantry allow ${id} --session    # ${input.scope.label}`);
  lines.push(`gantry deny ${id} --message "why"`);
  return lines;
}

/** The resolution of an input in one line. */
export function resolvedLine(data: Envelope<"input.resolved">["data"], paint: Paint): string {
  const by = settledBy(data.by);
  const message = data.message ? `: ${stripControls(data.message)}` : "";
  switch (data.decision) {
    case "allow":
      return `${paint.green("✓")} ${paint.dim(`allowed${by}${message}`)}`;
    case "allow_session":
      return `${paint.green("✓")} ${paint.dim(`allowed for this session${by}${message}`)}`;
    case "deny":
      return `${paint.yellow("✗")} ${paint.dim(`denied${by}${message}`)}`;
    case "cancel": {
      const why = data.reason ?? data.message;
      const text = why?.startsWith("withdrawn") ? why : `withdrawn${by}${why ? `: ${why}` : ""}`;
      return `${paint.yellow("✗")} ${paint.dim(stripControls(text))}`;
    }
  }
}

/** The options of a question, numbered. */
function questionLines(question: Question, paint: Paint): string[] {
  const head = question.header ? `${paint.bold(stripControls(question.header))}  ` : "";
  const options = question.options.map((option, index) => {
    const about = option.description ? paint.dim(`  ${stripControls(option.description)}`) : "";
    return `  ${paint.cyan(String(index + 1))} ${stripControls(option.label)}${about}`;
  });
  return [`${head}${stripControls(question.text)}`, ...options];
}

function detailLines(input: InputRequest, frame: Frame, cwd: string | undefined): string[] {
  const { paint, width } = frame;
  const lines: string[] = [];
  const command = input.tool?.command;
  if (command)
    lines.push(
      ...stripControls(command)
        .split("\n")
        .map((line, index) => `${index === 0 ? "$" : " "} ${line}`),
    );
  if (input.detail && input.detail !== command) lines.push(...describe(stripControls(input.detail), input.kind, frame));
  for (const change of input.diff ?? []) {
    lines.push(
      [`${change.kind} ${insidePath(change.path, cwd)}`, renderChangeCount(change, paint)].filter(Boolean).join("  "),
    );
    const limit = width === undefined ? PIPED_DIFF_LINES : Number.POSITIVE_INFINITY;
    if (change.diff) lines.push(...changeLines(change.diff, frame, limit));
  }
  for (const { label, description } of input.options)
    if (description) lines.push(`${stripControls(label)}  ${paint.dim(stripControls(description))}`);
  for (const question of input.questions) lines.push(...questionLines(question, paint));
  return lines;
}

/** A plan is Markdown. */
function describe(detail: string, kind: InputRequest["kind"], { paint, width }: Frame): string[] {
  if (kind !== "plan" || width === undefined) return detail.split("\n");
  return renderMarkdown(detail, Math.max(20, width - 2), themeOf(paint));
}

function settledBy(by: string): string {
  if (by.startsWith("grant:")) return " by a standing permission";
  if (by === "agent") return " by the agent";
  if (by.startsWith("session:")) return ` by its lead ${shortId(by.slice("session:".length))}`;
  return by === "gantry" ? " by gantry" : "";
}

function example(question: Question): string {
  const label = question.options[0]?.label ?? "text";
  return /^[\w.-]+$/.test(label) ? label : JSON.stringify(label);
}
