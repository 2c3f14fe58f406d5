import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Git } from "../../lanes/git/git.ts";

/** A work tree that has a repository. All paths are absolute and real. */
export type Place = {
  root: string;
  /** Where this work tree's own HEAD and index are. */
  gitDir: string;
  /** Where what all work trees of the repository share is: objects and refs. */
  commonDir: string;
};

/** Why there can be no checkpoints in a folder, for people, and what would mend it. */
export type Missing = { missing: string; remedy?: string };

/** Is there a repository around this folder? Looks for its mark alone, which costs next to nothing. */
export function mayBePlace(cwd: string): boolean {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return true;
    if (folder === dirname(folder)) return false;
  }
}

/** The work tree that a folder lies in, or why there is none. Never throws. */
export async function findPlace(git: Git, cwd: string): Promise<Place | Missing> {
  try {
    const asked = async (what: string) => (await git.read(cwd, ["rev-parse", what])).out.replace(/\n$/, "");
    if ((await asked("--is-inside-work-tree")) !== "true")
      return { missing: "it lies inside of a repository's own folder" };
    const [root, gitDir, common] = await Promise.all([
      asked("--show-toplevel"),
      asked("--absolute-git-dir"),
      asked("--git-common-dir"),
    ]);
    const place = {
      root: realpathSync(root),
      gitDir: realpathSync(gitDir),
      commonDir: realpathSync(resolve(cwd, common)),
    };
    return (await isIgnored(git, cwd, place)) ? ignored(place) : place;
  } catch (error) {
    const { message, remedy } = error as Error & { remedy?: string };
    return { missing: message.replace(/\.$/, ""), ...(remedy ? { remedy } : {}) };
  }
}

async function isIgnored(git: Git, cwd: string, { root }: Place): Promise<boolean> {
  if (realpathSync(cwd) === root) return false;
  const { code } = await git.read(cwd, ["check-ignore", "--quiet", "."], { answers: [1, 128] });
  return code === 0;
}

function ignored({ root }: Place): Missing {
  return { missing: `it is ignored by the repository in ${root}`, remedy: "git init here makes it one of its own." };
}
