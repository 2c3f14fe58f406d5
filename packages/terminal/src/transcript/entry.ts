import type { Attachment } from "@gantry/protocol";
import type { Paint } from "../text/paint.ts";
import { wrapText } from "../text/width.ts";

/** How entries are rendered. All of it may change between two renderings of the same entry. */
export type Frame = {
  paint: Paint;
  /** The cells of a row. Absent in a pipe: lines stay whole and Markdown stays unchanged. */
  width?: number;
  /** Shows outputs and diffs in full, and reasoning. */
  full?: boolean;
  /** The rows of an image, where the terminal can show it. */
  image?(attachment: Attachment): string[] | undefined;
};

export type EntryKind = "header" | "user" | "text" | "tool" | "tool-body" | "input" | "note" | "outcome";

/** A finished part of a conversation. `rows` is pure; an entry without rows is not shown. */
export type Entry = {
  kind: EntryKind;
  /** No empty row separates it from the entry before. */
  joined?: boolean;
  rows(frame: Frame): string[];
};

/** The rows of an entry after one of the kind `last`, with the empty row between them. */
export function renderEntry(entry: Entry, frame: Frame, last: EntryKind | undefined): string[] {
  const rows = entry.rows(frame);
  if (rows.length === 0) return [];
  const continues = entry.joined && (entry.kind !== "text" || last === "text");
  const isApart = last !== undefined && !continues && !(entry.kind === "tool" && last === "tool");
  return isApart ? ["", ...rows] : rows;
}

/** The rows of a text: wrapped on a terminal, its lines in a pipe. */
export function textRows(text: string, { width }: Frame, indent = 2): string[] {
  return width === undefined ? text.split("\n") : wrapText(text, Math.max(20, width - indent));
}

/** Wraps rows that are too wide for the terminal. */
export function fitRows(rows: readonly string[], { width }: Frame, indent = 0): string[] {
  return width === undefined ? [...rows] : rows.flatMap((row) => wrapText(row, Math.max(10, width - indent)));
}

export function note(text: string, severity: "info" | "warning" | "error"): Entry {
  return {
    kind: "note",
    rows: (frame) => {
      const style = { info: frame.paint.dim, warning: frame.paint.yellow, error: frame.paint.red }[severity];
      return textRows(text, frame).map((row) => style(row));
    },
  };
}
