import { GantryError } from "@gantry/protocol";
import type { Git, GitAnswer } from "../../lanes/git/git.ts";

/** For a git whose every end is an answer. */
export const anyCode: readonly number[] = Array.from({ length: 255 }, (_, index) => index + 1);

/** As much of what git or a hook printed as a person wants to read. */
const SHOWN = 4000;

/** Throws `no_identity` where git does not know who commits. */
export async function requireIdentity(git: Git, folder: string): Promise<void> {
  const answer = await git.read(folder, ["var", "GIT_COMMITTER_IDENT"], { answers: anyCode });
  if (answer.code === 0) return;
  throw new GantryError("no_identity", "Git does not know under whose name to commit. Nothing has changed.", {
    remedy: 'Set it: git config --global user.name "Your Name" && git config --global user.email you@example.com',
    details: { output: printed(answer) },
  });
}

/** Files of the tree that a merge or rebase could not join. */
export async function unmerged(git: Git, tree: string): Promise<string[]> {
  const { out } = await git.read(tree, [
    "diff",
    "--no-ext-diff",
    "--no-textconv",
    "--name-only",
    "--diff-filter=U",
    "-z",
  ]);
  return [...new Set(out.split("\0").filter(Boolean))].sort();
}

export function conflictError(what: string, into: string, files: readonly string[]): GantryError {
  return new GantryError("merge_conflict", `${what} conflicts with ${into} in ${listed(files)}. Nothing has changed.`, {
    remedy: "Bring the lane up to date, or have its agent resolve it there, and land again.",
    details: { files },
  });
}

/** Why git would not commit or merge: a hook, a signature, or something else, with what was printed. */
export function refusal(what: string, answer: GitAnswer, hooks: readonly string[]): GantryError {
  const output = printed(answer);
  if (/failed to sign|gpg failed|signing failed|Load key|user\.signingkey/i.test(output)) {
    return new GantryError("git_failed", `${what} could not be signed. Nothing has changed.\n${output}`, {
      remedy: "Unlock the key that git signs with (`git commit -S` in a terminal shows why), and try again.",
      details: { output },
    });
  }
  if (hooks.length > 0) {
    const message = `${what} was refused by a hook of the repository (${hooks.join(", ")}). Nothing has changed.`;
    return new GantryError("hook_failed", `${message}\n${output}`, {
      remedy: "Mend what it complains about in the lane, and try again.",
      details: { output, hooks },
    });
  }
  return new GantryError("git_failed", `${what}: git refused it. Nothing has changed.\n${output}`, {
    details: { output },
  });
}

export function printed({ out, err }: GitAnswer): string {
  const text = [out.trim(), err.trim()].filter(Boolean).join("\n");
  return text.length > SHOWN ? `${text.slice(0, SHOWN / 2)}\n…\n${text.slice(-SHOWN / 2)}` : text;
}

/** The first few, and how many more there are. */
export function listed(files: readonly string[]): string {
  return files.slice(0, 5).join(", ") + (files.length > 5 ? ` and ${files.length - 5} more` : "");
}
