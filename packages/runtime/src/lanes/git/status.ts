import type { Git } from "./git.ts";

/** The uncommitted state of a work tree. */
export type Status = {
  branch?: string;
  head?: string;
  /** The remote branch that it tracks, such as `origin/main`. */
  upstream?: string;
  changed: number;
  /** Files, and folders that contain only untracked files. */
  untracked: number;
  /** Unresolved paths of a merge or rebase. */
  conflicts: number;
};

export async function statusOf(git: Git, cwd: string): Promise<Status> {
  const args = ["status", "--porcelain=v2", "--branch", "-z", "--untracked-files=normal", "--ignore-submodules=none"];
  return parseStatus((await git.read(cwd, args)).out);
}

export function parseStatus(out: string): Status {
  const status: Status = { changed: 0, untracked: 0, conflicts: 0 };
  const entries = out.split("\0");
  for (let i = 0; i < entries.length; i++) {
    const entry = entries[i] ?? "";
    const [, name, value] = /^# branch\.(oid|head|upstream) (.*)$/s.exec(entry) ?? [];
    if (name === "oid" && value !== "(initial)") status.head = value;
    if (name === "head" && value !== "(detached)") status.branch = value;
    if (name === "upstream") status.upstream = value;
    if (entry.startsWith("1 ")) status.changed++;
    if (entry.startsWith("u ")) {
      status.changed++;
      status.conflicts++;
    }
    if (entry.startsWith("? ")) status.untracked++;
    if (entry.startsWith("2 ")) {
      status.changed++;
      // A renamed file has its old path in the next entry.
      i++;
    }
  }
  return status;
}
