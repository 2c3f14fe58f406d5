import { readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** What the word before the cursor could become: files after `@`, commands after a slash at the beginning. */
export function completionsOf(
  before: string,
  cwd: string,
  commands: readonly string[],
): { from: number; words: string[] } {
  const slash = /^\/([a-z]*)$/.exec(before);
  if (slash)
    return { from: 0, words: commands.filter((name) => name.startsWith(slash[1] ?? "")).map((name) => `/${name} `) };
  const file = /(?:^|\s)@(\S*)$/.exec(before);
  if (!file) return { from: before.length, words: [] };
  const typed = file[1] ?? "";
  const folder = typed.endsWith("/") ? typed : typed.includes("/") ? `${dirname(typed)}/` : "";
  const begin = typed.slice(folder.length);
  try {
    const words = readdirSync(resolve(cwd, folder), { withFileTypes: true })
      .filter(({ name }) => name.startsWith(begin) && (begin.startsWith(".") || !name.startsWith(".")))
      .map((entry) => `@${join(folder, entry.name)}${entry.isDirectory() ? "/" : ""}`)
      .sort();
    return { from: before.length - typed.length - 1, words };
  } catch {
    return { from: before.length, words: [] };
  }
}

/** What all words begin with. */
export function commonStart(words: readonly string[]): string {
  const [first = "", ...others] = words;
  let length = first.length;
  for (const word of others) while (!word.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}
