import { accessSync, constants, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Git } from "../../lanes/git/git.ts";

/** Hooks that may refuse a commit, a merge or a rebase. Hooks that run afterwards run only in the real work tree. */
const GATES = ["pre-commit", "pre-merge-commit", "prepare-commit-msg", "commit-msg", "pre-rebase"];

/**
 * Fills a hooks folder for a scratch tree with wrappers of the repository's gate hooks and nothing else. The wrappers
 * call the primary work tree's hooks, because a path such as `.husky/_` does not exist in a fresh checkout. Returns the
 * gates found.
 */
export async function gatesFor(git: Git, repository: string, folder: string): Promise<string[]> {
  const source = await hooksFolder(git, repository);
  const gates = GATES.filter((name) => isExecutable(join(source, name)));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of gates) {
    const script = `#!/bin/sh\nexec ${quoteArgument(join(source, name))} "$@"\n`;
    writeFileSync(join(folder, name), script, { mode: 0o755 });
  }
  return gates;
}

/** The hooks of these names that git would run in the work tree. */
export async function hooksIn(git: Git, tree: string, names: readonly string[]): Promise<string[]> {
  const folder = await hooksFolder(git, tree);
  return names.filter((name) => isExecutable(join(folder, name)));
}

async function hooksFolder(git: Git, tree: string): Promise<string> {
  return resolve(tree, (await git.read(tree, ["rev-parse", "--git-path", "hooks"], { asUser: true })).out.trimEnd());
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function quoteArgument(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`;
}
