import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Git } from "../../lanes/git/git.ts";

/** A work tree that has a repository. All paths are absolute and real. */
export type Place = {
  root: string;
  /** Holds this work tree's HEAD and index. */
  gitDir: string;
  /** Holds what all work trees of the repository share: objects and refs. */
  commonDir: string;
};

/** Why a folder can have no checkpoints, and the remedy, for people. */
export type Missing = { missing: string; remedy?: string };

/** Whether a `.git` exists in the folder or above it. Cheap. */
export function mayBePlace(cwd: string): boolean {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return true;
    if (folder === dirname(folder)) return false;
  }
}

/** The work tree that contains a folder, or why there is none. Never throws. */
export async function findPlace(git: Git, cwd: string): Promise<Place | Missing> {
  try {
    const revParse = async (flag: string) => (await git.read(cwd, ["rev-parse", flag])).out.replace(/\n$/, "");
    if ((await revParse("--is-inside-work-tree")) !== "true")
      return { missing: "it is inside a repository's .git folder" };
    const [root, gitDir, common] = await Promise.all([
      revParse("--show-toplevel"),
      revParse("--absolute-git-dir"),
      revParse("--git-common-dir"),
    ]);
    const place = {
      root: realpathSync(root),
      gitDir: realpathSync(gitDir),
      commonDir: realpathSync(resolve(cwd, common)),
    };
    return (await isIgnored(git, cwd, place)) ? ignoredFolder(place) : place;
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

function ignoredFolder({ root }: Place): Missing {
  return {
    missing: `the repository in ${root} ignores it`,
    remedy: "Run git init here to make it a separate repository.",
  };
}
