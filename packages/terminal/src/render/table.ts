import { padText, textWidth, truncateText } from "../text/width.ts";

export type Column = {
  title: string;
  /** Whether this column is cut when the terminal is too narrow. */
  shrink?: boolean;
};

/**
 * Rows in aligned columns under a header. With `width`, cuts the shrinking column so that every row fits. Without it (in a
 * pipe), cuts nothing.
 */
export function renderTable(
  columns: Column[],
  rows: string[][],
  options: { header(text: string): string; width?: number },
): string[] {
  const widths = columns.map((column, index) =>
    Math.max(textWidth(column.title), ...rows.map((row) => textWidth(row[index] ?? ""))),
  );
  const total = widths.reduce((sum, width) => sum + width + 2, -2);
  const flexible = columns.findIndex((column) => column.shrink);
  if (options.width && flexible >= 0 && total > options.width) {
    widths[flexible] = Math.max(8, (widths[flexible] ?? 0) - (total - options.width));
  }
  const line = (cells: string[]) =>
    cells
      .map((cell, index) => padText(truncateText(cell, widths[index] ?? 0), widths[index] ?? 0))
      .join("  ")
      .trimEnd();
  return [options.header(line(columns.map((column) => column.title))), ...rows.map(line)];
}

/** Names and values below each other: `name  value`. Pairs without a value are left out. */
export function renderFacts(pairs: [string, string | undefined][], name: (text: string) => string): string[] {
  const known = pairs.filter((pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== "");
  const width = Math.max(0, ...known.map(([label]) => textWidth(label)));
  return known.map(([label, value]) => `${name(padText(label, width))}  ${value}`);
}
