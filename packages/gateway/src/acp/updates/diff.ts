import type { FileChange } from "@gantry/protocol";

/** One hunk as the text before and after it. `before` is `null` for a new file. */
export type HunkTexts = { path: string; before: string | null; after: string };

/** The hunks of a change as pairs of texts. A change without a unified diff has none. */
export function hunkTexts({ path, to, kind, diff }: FileChange): HunkTexts[] {
  const hunks: { before: string[]; after: string[] }[] = [];
  for (const line of diff?.split("\n") ?? []) {
    if (line.startsWith("@@")) hunks.push({ before: [], after: [] });
    const hunk = hunks.at(-1);
    if (!hunk || line.startsWith("@@") || line.startsWith("\\")) continue;
    if (!line.startsWith("+")) hunk.before.push(line.slice(1));
    if (!line.startsWith("-")) hunk.after.push(line.slice(1));
  }
  return hunks.map(({ before, after }) => ({
    path: to ?? path,
    before: kind === "add" ? null : before.join("\n"),
    after: kind === "delete" ? "" : after.join("\n"),
  }));
}

/** The change as a git patch. `undefined`: only its size is known. */
export function gitPatch({ path, to, kind, diff }: FileChange): string | undefined {
  if (!diff?.includes("@@")) return undefined;
  if (diff.startsWith("diff --git ")) return diff;
  const [from, into] = [inPatch("a", path), inPatch("b", to ?? path)];
  const names = `--- ${kind === "add" ? "/dev/null" : from}\n+++ ${kind === "delete" ? "/dev/null" : into}\n`;
  const mode = kind === "add" ? "new file mode 100644\n" : kind === "delete" ? "deleted file mode 100644\n" : "";
  return `diff --git ${from} ${into}\n${mode}${names}${diff.slice(diff.indexOf("@@"))}`;
}

/** A change without hunks, as one line. */
export function changeLine({ path, to, kind, additions, deletions }: FileChange): string {
  const size = additions === undefined && deletions === undefined ? "" : ` (+${additions ?? 0} −${deletions ?? 0})`;
  return `${kind} ${path}${to ? ` → ${to}` : ""}${size}`;
}

function inPatch(side: string, path: string): string {
  return `${side}/${path.replace(/^\/+/, "")}`;
}
