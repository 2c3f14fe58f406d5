import { copyFileSync, statSync, utimesSync } from "node:fs";

/**
 * Copies an index and its timestamp. Git treats a file as unchanged if its size and time match the index, unless the file
 * is as new as the index itself. A newer copy would hide changes of the same moment; a slightly older one only makes git
 * read more files.
 */
export function copyIndex(from: string, to: string): void {
  const seconds = Math.floor(statSync(from).mtimeMs / 1000);
  copyFileSync(from, to);
  utimesSync(to, seconds, seconds);
}
