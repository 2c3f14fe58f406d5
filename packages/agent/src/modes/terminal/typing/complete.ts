import { readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** The completions of the word before the cursor: files after `@`, commands after a slash at the start. */
export function completionsOf(
  before: string,
  cwd: string,
  commands: readonly string[],
): { from: number; candidates: string[] } {
  const slash = /^\/([\w:.-]*)$/.exec(before);
  if (slash)
    return {
      from: 0,
      candidates: commands.filter((name) => name.startsWith(slash[1] ?? "")).map((name) => `/${name} `),
    };
  const file = /(?:^|\s)@(\S*)$/.exec(before);
  if (!file) return { from: before.length, candidates: [] };
  const typed = file[1] ?? "";
  const folder = typed.endsWith("/") ? typed : typed.includes("/") ? `${dirname(typed)}/` : "";
  const begin = typed.slice(folder.length);
  try {
    const candidates = readdirSync(resolve(cwd, folder), { withFileTypes: true })
      .filter(({ name }) => name.startsWith(begin) && (begin.startsWith(".") || !name.startsWith(".")))
      .map((entry) => `@${join(folder, entry.name)}${entry.isDirectory() ? "/" : ""}`)
      .sort();
    return { from: before.length - typed.length - 1, candidates };
  } catch {
    return { from: before.length, candidates: [] };
  }
}

/** The common prefix of all candidates. */
export function commonStart(candidates: readonly string[]): string {
  const [first = "", ...others] = candidates;
  let length = first.length;
  for (const word of others) while (!word.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}
