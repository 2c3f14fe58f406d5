import { dirname, join, resolve } from "node:path";
import { readRegularText } from "@gantry/trust";

/**
 * The branch checked out in this folder's repository, or the short commit id; `undefined` outside a repository. Read
 * from git's files, because starting a git process would dominate the start-up time of a session.
 */
export async function gitBranch(cwd: string): Promise<string | undefined> {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const head = await headIn(folder);
    if (head !== undefined) return /^ref: refs\/heads\/(.+)$/.exec(head)?.[1] ?? head.slice(0, 12);
    if (folder === dirname(folder)) return undefined;
  }
}

/** In a worktree, `.git` is a file with the path of the git folder. */
async function headIn(folder: string): Promise<string | undefined> {
  const git = join(folder, ".git");
  const inFolder = await text(join(git, "HEAD"));
  if (inFolder !== undefined) return inFolder;
  const elsewhere = /^gitdir: (.+)$/m.exec((await text(git)) ?? "")?.[1];
  return elsewhere === undefined ? undefined : await text(join(resolve(folder, elsewhere), "HEAD"));
}

async function text(path: string): Promise<string | undefined> {
  try {
    return readRegularText(path).trim();
  } catch {
    return undefined;
  }
}
