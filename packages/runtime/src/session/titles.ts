const LONGEST = 48;

/** A title from a prompt's first words: at most 48 characters, cut between words. */
export function titleOf(prompt: string): string {
  const line = prompt.trim().split("\n")[0]?.replace(/\s+/g, " ").trim() ?? "";
  if (line.length <= LONGEST) return line || "New session";
  const cut = line.slice(0, LONGEST - 1);
  const space = cut.lastIndexOf(" ");
  return `${(space > 20 ? cut.slice(0, space) : cut).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
