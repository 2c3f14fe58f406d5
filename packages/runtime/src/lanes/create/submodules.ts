import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Git } from "../git/git.ts";

type Submodule = { name: string; path: string };

/**
 * Fills the submodules of a new work tree from those of the primary one, without a network: each becomes a clone of the
 * primary's copy, with the real remote. Returns one sentence for each submodule that stays empty.
 */
export async function fillSubmodules(git: Git, source: { gitDir: string }, tree: string): Promise<string[]> {
  const notices: string[] = [];
  for (const submodule of await submodulesOf(git, tree)) {
    const complaint = await fill(git, source.gitDir, tree, submodule);
    if (complaint) notices.push(complaint);
    else
      notices.push(
        ...(await fillSubmodules(
          git,
          { gitDir: join(source.gitDir, "modules", submodule.name) },
          join(tree, submodule.path),
        )),
      );
  }
  return notices;
}

async function fill(
  git: Git,
  sourceGitDir: string,
  tree: string,
  { name, path }: Submodule,
): Promise<string | undefined> {
  const mirror = join(sourceGitDir, "modules", name);
  const byHand = `Fill it there: git submodule update --init -- '${path}'`;
  if (!existsSync(mirror)) return `The submodule ${path} is empty, as in the primary work tree. ${byHand}`;
  const url = await git.line(mirror, ["config", "--get", "remote.origin.url"]);
  // For this call only: the shared configuration does not change.
  const local = [
    "-c",
    "protocol.file.allow=always",
    "-c",
    `submodule.${name}.url=${mirror}`,
    "-c",
    `submodule.${name}.active=true`,
  ];
  try {
    await git.write(tree, [...local, "submodule", "update", "--init", "--", path]);
  } catch (error) {
    return `The submodule ${path} could not be filled without a network: ${(error as Error).message} ${byHand}`;
  }
  if (url !== undefined) await git.write(join(tree, path), ["remote", "set-url", "origin", url]);
  return undefined;
}

/** The submodules of the checked-out commit, by their name in `.gitmodules`. */
async function submodulesOf(git: Git, tree: string): Promise<Submodule[]> {
  if (!existsSync(join(tree, ".gitmodules"))) return [];
  const args = ["config", "-z", "--file", resolve(tree, ".gitmodules"), "--get-regexp", "^submodule\\..*\\.path$"];
  const { out } = await git.read(tree, args, { answers: [1] });
  const named = out
    .split("\0")
    .filter(Boolean)
    .map((entry) => {
      const [key = "", ...path] = entry.split("\n");
      return { name: key.slice("submodule.".length, -".path".length), path: path.join("\n") };
    });
  const links = new Set(await gitlinks(git, tree));
  return named.filter(({ path }) => links.has(path));
}

/** Paths at which the index has the commit of another repository. */
export async function gitlinks(git: Git, tree: string): Promise<string[]> {
  const { out } = await git.read(tree, ["ls-files", "-z", "--stage"]);
  return out
    .split("\0")
    .filter((entry) => entry.startsWith("160000 "))
    .map((entry) => entry.slice(entry.indexOf("\t") + 1));
}
