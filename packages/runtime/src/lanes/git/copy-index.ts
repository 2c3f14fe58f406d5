import { copyFileSync, statSync, utimesSync } from "node:fs";

/**
 * Copies an index with its age. Git takes a file for unchanged whose size and time are those in the index, unless it was
 * changed so late that the index cannot know: it sees that by the index's own time. A copy that is younger would hide
 * changes of the same moment; one that is a little older only has git look into more files.
 */
export function copyIndex(from: string, to: string): void {
  const seconds = Math.floor(statSync(from).mtimeMs / 1000);
  copyFileSync(from, to);
  utimesSync(to, seconds, seconds);
}
