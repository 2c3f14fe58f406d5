import { diffWordsWithSpace as compareTexts } from "diff"; // prose-ignore: a name of the library
import type { Theme } from "../text/theme.ts";
import { padText, stripControls, textWidth, truncateText, wrapText } from "../text/width.ts";

/** A line of a diff with its numbers. `note`: text of git that belongs to no line. */
export type DiffLine =
  | { kind: "added" | "removed" | "same"; text: string; before?: number; after?: number }
  | { kind: "hunk" | "note"; text: string };

const HEADER = /^(diff |index |--- |\+\+\+ |new file|deleted file|similarity|rename |old mode|new mode)/;
const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;
/** Lines that differ in more than this share are shown without marked parts. */
const MOST_CHANGED = 0.6;
const LONGEST_COMPARED = 500;

/** The lines of a unified diff of one file. */
export function parseDiff(diff: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let before = 0;
  let after = 0;
  for (const line of stripControls(diff).replace(/\n$/, "").split("\n")) {
    const hunk = HUNK.exec(line);
    if (hunk) {
      before = Number(hunk[1]);
      after = Number(hunk[2]);
      lines.push({ kind: "hunk", text: line });
      continue;
    }
    const isBody = before > 0 || after > 0;
    if (!isBody && HEADER.test(line)) continue;
    const text = line.slice(1);
    if (line.startsWith("+")) lines.push({ kind: "added", text, after: after++ });
    else if (line.startsWith("-")) lines.push({ kind: "removed", text, before: before++ });
    else if (line.startsWith("\\")) lines.push({ kind: "note", text: line });
    else if (isBody) lines.push({ kind: "same", text, before: before++, after: after++ });
  }
  return lines;
}

/** The rows of a diff: line numbers, signs, coloured lines with the changed parts marked. Long lines are wrapped. */
export function renderDiffRows(diff: string, theme: Theme, width: number): string[] {
  return renderDiffLines(parseDiff(diff), theme, width).flat();
}

/** The rows of each line. The header of the only hunk has none. */
export function renderDiffLines(lines: readonly DiffLine[], theme: Theme, width: number): string[][] {
  const digits = String(Math.max(1, ...lines.map((line) => lineNumber(line) ?? 0))).length;
  const room = Math.max(10, width - digits - 3);
  const shown = markChanges(lines, theme);
  const isWhole = lines.filter(({ kind }) => kind === "hunk").length === 1;
  return lines.map((line, index) => {
    if (line.kind === "hunk") return isWhole && index === 0 ? [] : [theme.cyan(truncateText(line.text, width))];
    if (line.kind === "note") return [theme.dim(truncateText(line.text, width))];
    return lineRows(line, shown[index] ?? line.text, { theme, digits, room });
  });
}

type RowSpace = { theme: Theme; digits: number; room: number };

function lineRows(line: DiffLine, text: string, { theme, digits, room }: RowSpace): string[] {
  const number = String(lineNumber(line) ?? "").padStart(digits);
  const sign = line.kind === "added" ? "+" : line.kind === "removed" ? "-" : " ";
  return wrapText(text, room).map((row, index) => {
    const gutter = theme.dim(index === 0 ? number : " ".repeat(digits));
    const body = `${index === 0 ? sign : " "} ${row}`;
    if (line.kind === "same") return `${gutter} ${theme.dim(body)}`.trimEnd();
    const style = line.kind === "added" ? theme.addedLine : theme.removedLine;
    return `${gutter} ${style(theme.depth > 4 ? padText(body, room + 2) : body)}`;
  });
}

function lineNumber(line: DiffLine): number | undefined {
  if (line.kind === "removed") return line.before;
  return line.kind === "added" || line.kind === "same" ? line.after : undefined;
}

/** Pairs removed lines with the added lines that follow them, and marks the parts that differ. */
function markChanges(lines: readonly DiffLine[], theme: Theme): (string | undefined)[] {
  const texts: (string | undefined)[] = [];
  for (let start = 0; start < lines.length; ) {
    const removed = runLength(lines, start, "removed");
    const added = runLength(lines, start + removed, "added");
    for (let pair = 0; pair < Math.min(removed, added); pair++) {
      const [from, to] = [start + pair, start + removed + pair];
      [texts[from], texts[to]] = compareLines(lines[from]?.text ?? "", lines[to]?.text ?? "", theme);
    }
    start += Math.max(1, removed + added);
  }
  return texts;
}

function runLength(lines: readonly DiffLine[], start: number, kind: DiffLine["kind"]): number {
  let count = 0;
  while (lines[start + count]?.kind === kind) count++;
  return count;
}

function compareLines(before: string, after: string, theme: Theme): [string?, string?] {
  if (textWidth(before) > LONGEST_COMPARED || textWidth(after) > LONGEST_COMPARED) return [];
  const changes = compareTexts(before, after);
  const size = (flag: "added" | "removed") =>
    changes.reduce((sum, change) => sum + (change[flag] ? change.value.length : 0), 0);
  if (size("removed") > before.length * MOST_CHANGED || size("added") > after.length * MOST_CHANGED) return [];
  const paint = (own: "added" | "removed", style: (text: string) => string) =>
    changes
      .filter((change) => change[own] || !(change.added || change.removed))
      .map((change) => (change[own] ? style(change.value) : change.value))
      .join("");
  return [paint("removed", theme.removedWord), paint("added", theme.addedWord)];
}
