import type { FileChange } from "@gantry/protocol";
import type { Paint } from "../text/paint.ts";
import { stripControls } from "../text/width.ts";

const HEADER = /^(diff |index |--- |\+\+\+ |new file|deleted file|similarity|rename |old mode|new mode|\\ No newline)/;

/** A hunk that covers the whole file; its position is redundant. */
const WHOLE_FILE = /^@@ (-0,0 \+1|-1(,\d+)? \+0,0)/;

/** `+12 −3`, from the figures of a change or from its diff. Empty if it has neither. */
export function renderChangeCount(change: FileChange, paint: Paint): string {
  const additions = change.additions ?? count(change.diff, "+");
  const deletions = change.deletions ?? count(change.diff, "-");
  const parts: string[] = [];
  if (additions) parts.push(paint.green(`+${additions}`));
  if (deletions) parts.push(paint.red(`−${deletions}`));
  return parts.join(" ");
}

/** The lines of a unified diff in colour, at most `limit`. Omits file headers. */
export function renderDiff(diff: string, paint: Paint, limit = 40): string[] {
  const lines = stripControls(diff)
    .split("\n")
    .filter((line) => !HEADER.test(line) && !WHOLE_FILE.test(line));
  while (lines.at(-1) === "") lines.pop();
  const shown = lines.slice(0, limit).map((line) => styleLine(line, paint));
  const rest = lines.length - shown.length;
  return rest > 0 ? [...shown, paint.dim(`… ${rest} more lines`)] : shown;
}

/** The files of a diff as git prints it. */
export function splitDiff(diff: string): { path: string; diff: string }[] {
  const parts = diff.split(/^(?=diff --git )/m).filter((part) => part.trim() !== "");
  return parts.map((part) => {
    const path = /^\+\+\+ b\/(.*)$/m.exec(part)?.[1] ?? /^--- a\/(.*)$/m.exec(part)?.[1] ?? "binary file";
    return { path, diff: part };
  });
}

function styleLine(line: string, paint: Paint): string {
  if (line.startsWith("+")) return paint.green(line);
  if (line.startsWith("-")) return paint.red(line);
  if (line.startsWith("@@")) return paint.cyan(line);
  return paint.dim(line);
}

function count(diff: string | undefined, sign: "+" | "-"): number {
  if (!diff) return 0;
  return diff.split("\n").filter((line) => line.startsWith(sign) && !HEADER.test(line)).length;
}
