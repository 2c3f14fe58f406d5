import { statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readRegularText } from "@gantry/trust";

/** The branch of a folder, or the start of its commit hash; `undefined` outside a repository. */
export function branchOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const git = gitFolder(join(at, ".git"));
    if (git) return headOf(git);
    if (dirname(at) === at) return undefined;
  }
}

/** In a worktree `.git` is a file with the path of the folder. */
function gitFolder(path: string): string | undefined {
  try {
    if (statSync(path).isDirectory()) return path;
    const [, target] = /^gitdir: (.+)$/m.exec(readRegularText(path)) ?? [];
    return target ? resolve(dirname(path), target) : undefined;
  } catch {
    return undefined;
  }
}

function headOf(git: string): string | undefined {
  try {
    const head = readRegularText(join(git, "HEAD")).trim();
    return head.startsWith("ref: refs/heads/") ? head.slice("ref: refs/heads/".length) : head.slice(0, 12);
  } catch {
    return undefined;
  }
}
