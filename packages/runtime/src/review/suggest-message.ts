import type { SessionView, StagedFile } from "@gantry/protocol";

const SUBJECT = 72;
const NAMED = 3;

/**
 * A message for a commit: the session's title as the subject, its summary as the text. `part`: the staged files, if they
 * are only a part of the changes, which the title does not describe.
 */
export function suggestMessage(
  { title, summary }: Pick<SessionView, "title" | "summary">,
  part: readonly StagedFile[] = [],
): string {
  if (part.length > 0) return shorten(describePart(part));
  const subject = shorten(title.trim().replace(/\s+/g, " ").replace(/\.$/, "") || "Change files");
  return summary ? `${subject}\n\n${summary.trim()}` : subject;
}

function describePart(files: readonly StagedFile[]): string {
  if (files.length > NAMED) return `Change ${files.length} files`;
  const names = files.map(({ path }) => path.split("/").at(-1) ?? path);
  const last = names.pop();
  return names.length === 0 ? `Change ${last}` : `Change ${names.join(", ")} and ${last}`;
}

function shorten(line: string): string {
  return line.length > SUBJECT ? `${line.slice(0, SUBJECT - 1).replace(/\s+\S*$/, "")}…` : line;
}
