import { join } from "node:path";
import { listEntries, readRegularText } from "@gantry/trust";
import type { Found } from "./found.ts";

const MOST_COMMANDS = 200;

/** One entry for a folder with Markdown files. An empty folder has none. */
export function readCommands(folder: string, about: Pick<Found, "name" | "scope" | "from" | "isClaude">): Found[] {
  const entry = { ...about, kind: "commands" as const, path: folder };
  const names = listEntries(folder, { deep: true })
    .filter(({ path, entry: file }) => file.isFile() && path.endsWith(".md") && !/(^|\/)\./.test(path))
    .map(({ path }) => path)
    .sort()
    .slice(0, MOST_COMMANDS);
  const files = new Map<string, string>();
  const problems: string[] = [];
  for (const name of names) {
    try {
      files.set(join(folder, name), readRegularText(join(folder, name)));
    } catch (error) {
      problems.push((error as Error).message);
    }
  }
  if (files.size === 0 && problems.length === 0) return [];
  return [{ ...entry, files, ...(problems[0] !== undefined && files.size === 0 ? { problem: problems[0] } : {}) }];
}
