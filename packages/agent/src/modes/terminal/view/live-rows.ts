import {
  type EditBuffer,
  formatAmount,
  type Picker,
  pluralize,
  stripControls,
  textWidth,
  truncateText,
  wrapText,
} from "@gantry/terminal";
import { CURSOR_MARKER } from "@gantry/terminal/toolkit";
import type { SessionState } from "../../../contract/session.ts";
import type { ExtensionRows } from "../extension-ui.ts";
import type { Prompting } from "../terminal-person.ts";
import type { Shown, TranscriptView } from "./transcript.ts";

export type LiveParts = {
  width: number;
  /** Rows for everything above and below the input field. */
  height: number;
  view: TranscriptView;
  shown: Shown;
  prompting: Prompting | undefined;
  picker: Picker | undefined;
  /** What is typed as the answer to a question. */
  answer: Pick<EditBuffer, "text" | "cursor">;
  queue: readonly string[];
  /** Shows more of what running commands print. */
  expanded: boolean;
  /** The quit key was pressed once. */
  armed: boolean;
  /** When the current run started. */
  since: number | undefined;
  extensions?: ExtensionRows;
  branch: string | undefined;
  cost: number;
  state: SessionState;
  now?: number;
};

const SHORT_OUTPUT = 6;
const MOST_QUEUED = 3;

/** The rows above the input field: partial output, running calls, the queue, a question or a menu. */
export function rowsAbove(parts: LiveParts): string[] {
  const { width, height, shown, prompting, picker } = parts;
  const fixed = [
    ...queueRows(parts),
    ...(parts.extensions?.above ?? []).map((row) => truncateText(row, width)),
    ...(picker ? menuRows(picker, parts) : prompting ? questionRows(prompting, parts) : []),
  ];
  const room = Math.max(0, height - fixed.length - 1);
  const changing = [...shown.tail, ...shown.running.flatMap((one) => runningRows(one, parts))].slice(-room);
  return [...(room > 0 ? changing : []), "", ...fixed];
}

/** The rows below the input field: the status line, and what extensions show. */
export function rowsBelow(parts: LiveParts): string[] {
  const { width, view, extensions } = parts;
  const status = [statusOf(parts), ...(extensions?.status ?? [])].join(" · ");
  return [
    view.paint.dim(truncateText(status, width)),
    ...(extensions?.below ?? []).map((row) => truncateText(row, width)),
  ];
}

function runningRows(
  { title, output }: Shown["running"][number],
  { width, height, view, expanded }: LiveParts,
): string[] {
  const { paint } = view;
  const most = expanded ? Math.max(SHORT_OUTPUT, height - 8) : SHORT_OUTPUT;
  const lines = output === "" ? [] : stripControls(output).trimEnd().split("\n");
  const rows = lines
    .slice(-most)
    .flatMap((line) => wrapText(line, width - 4))
    .slice(-most);
  const hidden = lines.length - rows.length;
  const more = hidden > 0 ? [`… ${pluralize(hidden, "line")} above${expanded ? "" : ", ctrl+o shows more"}`] : [];
  const bar = (row: string) => `  ${paint.dim(`│ ${row}`)}`;
  return [truncateText(paint.cyan(`◌ ${title}`), width), ...[...more, ...rows].map(bar)];
}

function queueRows({ queue, state, width, view }: LiveParts): string[] {
  const sign = state.heldMessageCount > 0 ? "held" : "next";
  const rows = queue.slice(0, MOST_QUEUED).map((text) => {
    const line = stripControls(text).replace(/\s*\n\s*/g, " ↵ ");
    return view.paint.dim(truncateText(`  ${sign}: ${line}`, width));
  });
  const rest = queue.length - rows.length;
  const how = state.heldMessageCount > 0 ? "/queue resume runs, /queue clear removes, alt+up edits" : "alt+up edits";
  if (rows.length === 0) return [];
  return [...rows, view.paint.dim(truncateText(`  ${rest > 0 ? `and ${rest} more · ` : ""}${how}`, width))];
}

/** A question with the line for the answer. */
function questionRows(prompting: Prompting, { width, height, view, answer }: LiveParts): string[] {
  const rows = prompting.rows(width, Math.max(8, height - 4));
  if (!prompting.line) return rows;
  const text = prompting.secret ? "•".repeat(answer.text.length) : answer.text;
  return [...rows, ...inputRows(view.paint.cyan("› "), text, answer.cursor, width)];
}

function menuRows(picker: Picker, { width, view }: LiveParts): string[] {
  const count = picker.matches.length;
  const rows = picker.rows(width).map(({ text, chosen }) => (chosen ? view.paint.bold : view.paint.dim)(text));
  const none = count === 0 ? [view.paint.dim("  No matches.")] : [];
  return [
    view.paint.yellow(truncateText(`${picker.title} (${count})`, width)),
    ...rows,
    ...none,
    ...inputRows("⌕ ", picker.filter, picker.filter.length, width),
  ];
}

/** The end of a line that is typed, with the cursor. */
function inputRows(sign: string, text: string, cursor: number, width: number): string[] {
  const before = [...text.slice(0, cursor).replaceAll("\n", "↵")];
  const room = width - textWidth(sign) - 1;
  while (textWidth(before.join("")) > room) before.shift();
  const start = before.join("");
  const after = truncateText(text.slice(cursor).replaceAll("\n", "↵"), Math.max(0, room - textWidth(start)));
  return [`${sign}${start}${CURSOR_MARKER}${after}`];
}

/** The most important part comes first, because a narrow terminal cuts the end. */
function statusOf(parts: LiveParts): string {
  const { armed, picker, prompting, since, state, branch, cost, now = Date.now() } = parts;
  if (armed) return "ctrl+c again to quit";
  if (picker) return "type to filter · ↑↓ to move · enter to select · esc to close";
  const { model, thinkingLevel, mode, isStreaming, isCompacting, contextUsage } = state;
  const percent = contextUsage?.percent;
  const seconds = since === undefined ? "" : ` ${Math.floor((now - since) / 1000)} s`;
  const working = isStreaming ? [`working${seconds}, esc to stop`] : [];
  const doing = isCompacting ? ["compacting"] : prompting ? ["waiting for you"] : working;
  return [
    ...doing,
    model
      ? [model.id, ...(thinkingLevel === "off" ? [] : [`thinking ${thinkingLevel}`])].join(" · ")
      : "no model: /login",
    mode,
    ...(percent === null || percent === undefined ? [] : [`${Math.round(percent)} % full`]),
    ...(cost > 0 ? [`$${formatAmount(cost)}`] : []),
    ...(branch === undefined ? [] : [branch]),
    ...queueStatus(state),
    ...(doing.length === 0 ? ["/help"] : []),
  ].join(" · ");
}

function queueStatus({ queuedMessageCount: queued, heldMessageCount: held }: SessionState): string[] {
  return [
    ...(held > 0 ? [`${held} held: /queue resume or clear`] : []),
    ...(queued > held ? [`${queued - held} queued`] : []),
  ];
}
