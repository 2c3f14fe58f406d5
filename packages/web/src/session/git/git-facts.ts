import type { CommitPlan } from "@gantry/protocol";

export type GitFact = { text: string; name: string };

/** Uncommitted files and the distance from the base: short for the header, and as a sentence. Zero is left out. */
export function gitFacts({ branch, changes, against, ahead = 0, behind = 0, unpushed }: CommitPlan): {
  short: GitFact[];
  full: string;
} {
  const short = [
    changes > 0 && {
      text: `±${changes}`,
      name: `${changes === 1 ? "1 uncommitted file" : `${changes} uncommitted files`}`,
    },
    ahead > 0 && { text: `↑${ahead}`, name: `${commits(ahead)} ahead of ${against}` },
    behind > 0 && { text: `↓${behind}`, name: `${commits(behind)} behind ${against}` },
  ].filter((fact) => fact !== false);
  const more = unpushed > 0 ? [`${commits(unpushed)} not pushed`] : [];
  const facts = [...short.map(({ name }) => name), ...more];
  const where = branch ? `Branch ${branch}` : "No branch";
  return { short, full: `${where}: ${facts.length > 0 ? facts.join(", ") : "nothing to commit"}` };
}

function commits(count: number): string {
  return count === 1 ? "1 commit" : `${count} commits`;
}
