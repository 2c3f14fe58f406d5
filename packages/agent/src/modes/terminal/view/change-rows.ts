import { stripControls, type Theme, truncateText, wrapText } from "@gantry/terminal";
import { renderDiffRows } from "@gantry/terminal/transcript";

const FILE = /^(?=--- [^\n]*\n\+\+\+ )/m;

/** The rows of a preview or a change: diffs with line numbers and a row for each of several files, other text wrapped. */
export function changeRows(text: string, theme: Theme, width: number): string[] {
  if (!/^@@ /m.test(text)) return wrapText(stripControls(text).trimEnd(), width);
  const files = text.split(FILE).filter((part) => /^@@ /m.test(part));
  return files.flatMap((diff) => {
    const name = /^\+\+\+ (?:b\/)?(.*)$/m.exec(diff)?.[1] ?? "";
    const head = files.length > 1 ? [theme.bold(truncateText(stripControls(name), width))] : [];
    return [...head, ...renderDiffRows(diff, theme, width)];
  });
}
