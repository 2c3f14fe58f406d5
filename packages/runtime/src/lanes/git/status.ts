import type { Git } from "./git.ts";

/** What in a work tree is not committed. */
export type Status = {
  branch?: string;
  head?: string;
  /** The remote branch that it follows, such as `origin/main`. */
  upstream?: string;
  changed: number;
  /** Files, and folders that hold nothing but such files. */
  untracked: number;
  /** Where two sides of a merge or rebase have not been brought together. */
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
      // The old path of what was moved stands behind it as an entry of its own.
      i++;
    }
  }
  return status;
}
