import type { Envelope, FileChange, Text, ToolKind } from "@gantry/protocol";
import { renderChangeCount, renderDiff } from "../render/diff.ts";
import { renderDiffRows } from "../render/diff-rows.ts";
import { formatDuration, pluralize } from "../text/figures.ts";
import { firstLine, insidePath } from "../text/names.ts";
import type { Paint } from "../text/paint.ts";
import { themeOf } from "../text/theme.ts";
import { stripControls, truncateText, wrapText } from "../text/width.ts";

/** One sign per kind of tool call, each one cell wide. */
const glyphs: Record<ToolKind, string> = {
  read: "◇",
  edit: "✎",
  delete: "⌫",
  move: "⇄",
  search: "⌕",
  execute: "$",
  think: "∴",
  fetch: "↓",
  switch_mode: "⇅",
  other: "•",
};

export type ToolStart = Envelope<"tool.started">["data"];
export type ToolEnd = Envelope<"tool.ended">["data"];
/** `brief`: omit the changes, because the approval request showed them. */
export type ToolRendering = { paint: Paint; cwd?: string; full?: boolean; brief?: boolean; width?: number };

const OUTPUT_LINES = 8;
/** Rows of the changes of one call. `full` shows all. */
const DIFF_ROWS = 40;

/** A tool call in one line, such as `$ npm test`. */
export function toolTitle(
  tool: Pick<ToolStart, "kind" | "title" | "input" | "locations">,
  { paint, cwd }: ToolRendering,
): string {
  const path = tool.locations?.[0]?.path;
  const title = tool.kind === "execute" ? (command(tool.input) ?? tool.title) : tool.title;
  const text = firstLine(stripControls(title));
  const shown = path && text.includes(path) ? text.replace(path, insidePath(path, cwd)) : text;
  return `${paint.cyan(glyphs[tool.kind])} ${tool.kind === "execute" ? paint.bold(shown) : shown}`;
}

/** A finished call: its title with the outcome, then the changes or the end of the output. */
export function toolLines(tool: ToolStart, end: ToolEnd, rendering: ToolRendering): string[] {
  const { paint } = rendering;
  const changes = end.changes ?? [];
  const marks = [toolTitle(tool, rendering)];
  const only = changes.length === 1 ? changes[0] : undefined;
  if (only) marks.push(renderChangeCount(only, paint));
  marks.push(outcomeMark(end, paint));
  const head = marks.filter((mark) => mark !== "").join("  ");
  const { width } = rendering;
  const shown = width === undefined ? head : truncateText(head, width);
  return [shown, ...body(tool, end, rendering).map((line) => `  ${paint.dim("│")} ${line}`)];
}

function body(tool: ToolStart, end: ToolEnd, rendering: ToolRendering): string[] {
  const { paint, full } = rendering;
  const changes = end.changes ?? [];
  if (changes.length > 0 && rendering.brief) return [];
  if (changes.length > 0) {
    return changes.flatMap((change) => [
      ...(changes.length > 1 ? [changeTitle(change, rendering)] : []),
      ...(change.diff ? changeLines(change.diff, rendering, full ? Number.POSITIVE_INFINITY : DIFF_ROWS) : []),
    ]);
  }
  const wantsOutput = full || end.status === "error" || tool.kind === "execute";
  if (!wantsOutput || end.output === undefined) return [];
  const lines = outputLines(end.output, paint, full ? Number.POSITIVE_INFINITY : OUTPUT_LINES);
  const { width } = rendering;
  return width === undefined ? lines : lines.flatMap((line) => wrapText(line, Math.max(10, width - 4)));
}

/** The lines of a diff, at most `limit`: numbered and with marked changes on a terminal, as git prints them in a pipe. */
export function changeLines(diff: string, { paint, width }: ToolRendering, limit: number): string[] {
  if (width === undefined) return renderDiff(diff, paint, limit);
  const rows = renderDiffRows(diff, themeOf(paint), Math.max(20, width - 4));
  const rest = rows.length - limit;
  return rest > 0 ? [...rows.slice(0, limit), paint.dim(`… ${rest} more rows`)] : rows;
}

/** The end of an output, which contains the result. */
function outputLines(output: Text, paint: Paint, limit: number): string[] {
  const text = typeof output === "string" ? output : output.tail;
  const lines = stripControls(text).trimEnd().split("\n");
  if (lines.length === 1 && lines[0] === "") return [];
  const shown = lines.slice(-Math.min(limit, lines.length));
  const total = typeof output === "string" ? lines.length : output.lines;
  const hidden = total === undefined ? undefined : Math.max(0, total - shown.length);
  const rest =
    hidden === undefined ? "… the beginning is stored with the session" : `… ${pluralize(hidden, "line")} before`;
  const styled = shown.map((line) => paint.dim(line));
  return hidden === 0 ? styled : [paint.dim(rest), ...styled];
}

function changeTitle(change: FileChange, { paint, cwd }: ToolRendering): string {
  const path = insidePath(change.path, cwd);
  const target = change.to ? ` → ${insidePath(change.to, cwd)}` : "";
  return [`${change.kind} ${paint.bold(path)}${target}`, renderChangeCount(change, paint)].filter(Boolean).join("  ");
}

function outcomeMark(end: ToolEnd, paint: Paint): string {
  const time = end.durationMs !== undefined && end.durationMs >= 500 ? ` ${formatDuration(end.durationMs)}` : "";
  const exit = end.exitCode ? ` exit ${end.exitCode}` : "";
  switch (end.status) {
    case "ok":
      return paint.green("✓") + paint.dim(exit + time);
    case "error":
      return paint.red(`✗${exit || " failed"}`) + paint.dim(time);
    case "denied":
      return paint.yellow("✗ denied");
    case "interrupted":
      return paint.yellow("■ interrupted") + paint.dim(time);
  }
}

function command(input: unknown): string | undefined {
  const value = (input as { command?: unknown } | null | undefined)?.command;
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.join(" ") : undefined;
}
