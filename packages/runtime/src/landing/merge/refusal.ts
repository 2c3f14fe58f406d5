import { GantryError } from "@gantry/protocol";
import type { Git } from "../../lanes/git/git.ts";
import type { GitAnswer } from "../../lanes/git/run-git.ts";

/** Every exit code, for calls that inspect the failure themselves. */
export const anyCode: readonly number[] = Array.from({ length: 255 }, (_, index) => index + 1);

/** Limit of the shown output of git or a hook, in characters. */
const SHOWN = 4000;

/** Throws `no_identity` if git has no committer identity. */
export async function requireIdentity(git: Git, folder: string): Promise<void> {
  const answer = await git.read(folder, ["var", "GIT_COMMITTER_IDENT"], { answers: anyCode });
  if (answer.code === 0) return;
  throw new GantryError("no_identity", "Git has no name and email to commit with. Nothing was changed.", {
    remedy: 'Set them: git config --global user.name "Your Name" && git config --global user.email you@example.com',
    details: { output: printedText(answer) },
  });
}

/** Files that a merge or rebase could not merge. */
export async function listUnmerged(git: Git, tree: string): Promise<string[]> {
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
  return new GantryError(
    "merge_conflict",
    `${what} conflicts with ${into} in ${listFirst(files)}. Nothing was changed.`,
    {
      remedy: "Update the lane, or let its agent resolve the conflict there, then land again.",
      details: { files },
    },
  );
}

/** Why git refused to commit or merge: a hook, a signature, or another reason, with the output. */
export function refusal(what: string, answer: GitAnswer, hooks: readonly string[]): GantryError {
  const output = printedText(answer);
  if (/failed to sign|gpg failed|signing failed|Load key|user\.signingkey/i.test(output)) {
    return new GantryError("git_failed", `${what} could not be signed. Nothing was changed.\n${output}`, {
      remedy: "Unlock the key that git signs with (`git commit -S` in a terminal shows the reason), then try again.",
      details: { output },
    });
  }
  if (hooks.length > 0) {
    const message = `A hook of the repository refused ${lowerFirst(what)} (${hooks.join(", ")}). Nothing was changed.`;
    return new GantryError("hook_failed", `${message}\n${output}`, {
      remedy: "Fix what the hook reports in the lane, then try again.",
      details: { output, hooks },
    });
  }
  return new GantryError("git_failed", `Git refused ${lowerFirst(what)}. Nothing was changed.\n${output}`, {
    details: { output },
  });
}

export function printedText({ out, err }: GitAnswer): string {
  const text = [out.trim(), err.trim()].filter(Boolean).join("\n");
  return text.length > SHOWN ? `${text.slice(0, SHOWN / 2)}\n…\n${text.slice(-SHOWN / 2)}` : text;
}

/** The first five, and the number of the others. */
export function listFirst(files: readonly string[]): string {
  return files.slice(0, 5).join(", ") + (files.length > 5 ? ` and ${files.length - 5} more` : "");
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
