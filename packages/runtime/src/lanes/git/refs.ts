import type { Git } from "./git.ts";

export type Ref = { name: string; commit: string };

/** Points a ref at a commit. `expected` is its required current value; an empty string means that it must not exist. */
export async function setRef(git: Git, cwd: string, name: string, commit: string, expected?: string): Promise<void> {
  const old = expected === undefined ? [] : [expected || "0".repeat(commit.length)];
  await git.write(cwd, ["update-ref", "--no-deref", name, commit, ...old]);
}

/** Does nothing if the ref does not exist. */
export async function deleteRef(git: Git, cwd: string, name: string, expected?: string): Promise<void> {
  await git.write(cwd, ["update-ref", "--no-deref", "-d", name, ...(expected ? [expected] : [])]);
}

/** All refs below a prefix such as `refs/gantry/undo`. */
export async function listRefs(git: Git, cwd: string, prefix: string): Promise<Ref[]> {
  const { out } = await git.read(cwd, ["for-each-ref", "--format=%(refname)%00%(objectname)", prefix]);
  return out
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const [name = "", commit = ""] = line.split("\0");
      return { name, commit };
    });
}
