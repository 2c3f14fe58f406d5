import type { StagedFile } from "@gantry/protocol";
import { rawPath, readablePath } from "../../checkpoints/work-tree/paths.ts";
import type { Git } from "../../lanes/git/git.ts";

const LISTED = 5000;

/** The files with staged changes, with paths relative to a session's folder. */
export async function listStaged(git: Git, root: string, cwd: string): Promise<StagedFile[]> {
  const args = ["status", "--porcelain=v2", "-z", "--untracked-files=no", "--ignore-submodules=dirty"];
  const { bytes } = await git.read(root, args);
  return parseStaged(bytes.toString("latin1"))
    .slice(0, LISTED)
    .map(({ path, partly }) => ({ path: readablePath(root, cwd, rawPath(Buffer.from(path, "latin1"))), partly }));
}

/** Entries of `git status`: `1 XY … path`, `2 XY … path` followed by the old path. X is the index, Y the work tree. */
export function parseStaged(out: string): StagedFile[] {
  const entries = out.split("\0");
  const found: StagedFile[] = [];
  for (let i = 0; i < entries.length; i++) {
    const [, kind, index, tree, rest = ""] = /^([12]) (.)(.) (.*)$/s.exec(entries[i] ?? "") ?? [];
    if (kind === undefined) continue;
    // Six more fields before the path of a change, seven before that of a rename.
    const path = rest
      .split(" ")
      .slice(kind === "1" ? 6 : 7)
      .join(" ");
    if (index !== ".") found.push({ path, partly: tree !== "." });
    if (kind === "2") i++;
  }
  return found;
}
