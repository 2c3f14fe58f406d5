import type { SessionState } from "../../contract/session.ts";
import { cut, type Picker } from "./menus/picker.ts";
import { cellsOf, type Live, rowsOf, wordRows } from "./screen.ts";
import type { Prompting } from "./terminal-person.ts";
import type { Shown, TranscriptView } from "./transcript.ts";
import type { Editor } from "./typing/editor.ts";

export type LiveParts = {
  width: number;
  view: TranscriptView;
  shown: Shown;
  prompting: Prompting | undefined;
  picker: Picker | undefined;
  editor: Pick<Editor, "text" | "cursor">;
  /** The quit key was pressed once. */
  armed: boolean;
  /** When the current run started. */
  since: number | undefined;
  state: SessionState;
  now?: number;
};

/** The rows that change: partial output, a question or a menu, the status line, and the input line. */
export function liveRows(parts: LiveParts): Live {
  const { width, view, shown, prompting, picker } = parts;
  const asked = (prompting?.lines ?? []).flatMap((line) => {
    const { text, style } = typeof line === "string" ? { text: line, style: undefined } : line;
    return wordRows(text, width).map((row) => view.paint(style, row));
  });
  const above = [
    ...(shown.tail === ""
      ? []
      : wordRows(shown.tail, width)
          .slice(-6)
          .map((row) => view.paint(shown.tailStyle, row))),
    ...shown.running.map((row) => rowsOf(row, width)[0] ?? ""),
    "",
    ...(picker ? menuRows(picker, parts) : asked),
    view.paint("dim", cut(statusOf(parts), width)),
  ];
  const { text, cursor, sign } = typing(parts);
  const before = rowsOf(sign + text.slice(0, cursor), width);
  return {
    rows: [...above, ...rowsOf(sign + text, width)],
    cursor: { row: above.length + before.length - 1, column: cellsOf(before.at(-1) ?? "") },
  };
}

function typing({ picker, prompting, editor }: LiveParts): { sign: string; text: string; cursor: number } {
  if (picker) return { sign: "⌕ ", text: picker.filter, cursor: picker.filter.length };
  const text = prompting?.secret ? "•".repeat(editor.text.length) : editor.text;
  return { sign: "› ", text, cursor: editor.cursor };
}

function menuRows(picker: Picker, { width, view }: LiveParts): string[] {
  const count = picker.matches.length;
  const rows = picker.rows(width).map(({ text, chosen }) => view.paint(chosen ? "bold" : "dim", text));
  const none = count === 0 ? [view.paint("dim", "  No matches.")] : [];
  return [view.paint("yellow", cut(`${picker.title} (${count})`, width)), ...rows, ...none];
}

/** The most important part comes first, because a narrow terminal cuts the end. */
function statusOf({ armed, picker, prompting, since, state, now = Date.now() }: LiveParts): string {
  if (armed) return "ctrl+c again to quit";
  if (picker) return "type to filter · ↑↓ to move · enter to select · esc to close";
  const { model, thinkingLevel, mode, isStreaming, isCompacting, queuedMessageCount, contextUsage } = state;
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
    model ? `${model.id} ${thinkingLevel}` : "no model: /login",
    mode,
    ...(percent === null || percent === undefined ? [] : [`${Math.round(percent)} % full`]),
    ...(queuedMessageCount > 0 ? [`${queuedMessageCount} queued`] : []),
    ...(doing.length === 0 ? ["/help"] : []),
  ].join(" · ");
}
