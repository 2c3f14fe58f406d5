import {
  breakText,
  type EditBuffer,
  type LiveRows,
  type Picker,
  textWidth,
  truncateText,
  wrapText,
} from "@gantry/terminal";
import type { SessionState } from "../../contract/session.ts";
import type { ExtensionRows } from "./extension-ui.ts";
import type { Prompting } from "./terminal-person.ts";
import type { Shown, TranscriptView } from "./transcript.ts";

export type LiveParts = {
  width: number;
  /** Rows of the terminal. Higher live rows could not be erased, and each key would print them again. */
  height: number;
  view: TranscriptView;
  shown: Shown;
  prompting: Prompting | undefined;
  picker: Picker | undefined;
  editor: Pick<EditBuffer, "text" | "cursor">;
  /** The quit key was pressed once. */
  armed: boolean;
  /** When the current run started. */
  since: number | undefined;
  extensions?: ExtensionRows;
  state: SessionState;
  now?: number;
};

/** The rows that change: partial output, a question or a menu, the status line, and the input line. */
export function liveRows(parts: LiveParts): LiveRows {
  const { width, height, view, shown, prompting, picker } = parts;
  const input = inputRows(parts);
  const asked = (prompting?.lines ?? []).flatMap((line) => wrapText(line, width));
  const above = [
    ...(shown.tail === ""
      ? []
      : wrapText(shown.tail, width)
          .slice(-6)
          .map((row) => (shown.isThinking ? view.paint.dim(row) : row))),
    ...shown.running.map((row) => truncateText(row, width)),
    "",
    ...(picker ? menuRows(picker, parts) : asked),
    ...(parts.extensions?.above ?? []).map((row) => truncateText(row, width)),
    view.paint.dim(
      truncateText([...input.place, statusOf(parts), ...(parts.extensions?.status ?? [])].join(" · "), width),
    ),
  ].slice(-(height - input.rows.length));
  const room = Math.max(0, height - above.length - input.rows.length);
  const below = (parts.extensions?.below ?? []).slice(0, room).map((row) => truncateText(row, width));
  return {
    rows: [...above, ...input.rows, ...below],
    cursor: { row: above.length + input.cursor.row, column: input.cursor.column },
  };
}

/** The rows of the input around the cursor, at most half of the terminal. `place`: where they are in a longer input. */
function inputRows(parts: LiveParts): LiveRows & { place: string[] } {
  const { text, cursor, sign } = describeInput(parts);
  const all = breakText(sign + text, parts.width);
  const before = breakText(sign + text.slice(0, cursor), parts.width);
  const most = Math.floor(parts.height / 2);
  const row = before.length - 1;
  const first = Math.max(0, Math.min(row - most + 1, all.length - most));
  return {
    rows: all.slice(first, first + most),
    cursor: { row: row - first, column: textWidth(before.at(-1) ?? "") },
    place: all.length > most ? [`row ${row + 1} of ${all.length}`] : [],
  };
}

function describeInput({ picker, prompting, editor }: LiveParts): { sign: string; text: string; cursor: number } {
  if (picker) return { sign: "⌕ ", text: picker.filter, cursor: picker.filter.length };
  const text = prompting?.secret ? "•".repeat(editor.text.length) : editor.text;
  return { sign: "› ", text, cursor: editor.cursor };
}

function menuRows(picker: Picker, { width, view }: LiveParts): string[] {
  const count = picker.matches.length;
  const rows = picker.rows(width).map(({ text, chosen }) => (chosen ? view.paint.bold : view.paint.dim)(text));
  const none = count === 0 ? [view.paint.dim("  No matches.")] : [];
  return [view.paint.yellow(truncateText(`${picker.title} (${count})`, width)), ...rows, ...none];
}

/** The most important part comes first, because a narrow terminal cuts the end. */
function statusOf({ armed, picker, prompting, since, state, now = Date.now() }: LiveParts): string {
  if (armed) return "ctrl+c again to quit";
  if (picker) return "type to filter · ↑↓ to move · enter to select · esc to close";
  const { model, thinkingLevel, mode, isStreaming, isCompacting, contextUsage } = state;
  const { queuedMessageCount, heldMessageCount } = state;
  const percent = contextUsage?.percent;
  const seconds = since === undefined ? "" : ` ${Math.floor((now - since) / 1000)} s`;
  const doing = isCompacting
    ? ["compacting"]
    : prompting
      ? ["waiting for you"]
      : isStreaming
        ? [`working${seconds}, esc to stop`]
        : [];
  return [
    ...doing,
    model ? [model.id, ...thinkingOf(thinkingLevel)].join(" · ") : "no model: /login",
    mode,
    ...(percent === null || percent === undefined ? [] : [`${Math.round(percent)} % full`]),
    ...(heldMessageCount > 0 ? [`${heldMessageCount} held: /queue resume or clear`] : []),
    ...(queuedMessageCount > heldMessageCount ? [`${queuedMessageCount - heldMessageCount} queued`] : []),
    ...(doing.length === 0 ? ["/help"] : []),
  ].join(" · ");
}

/** Nothing for `off`: models without thinking have no other level. */
function thinkingOf(level: SessionState["thinkingLevel"]): string[] {
  return level === "off" ? [] : [`thinking ${level}`];
}
