import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import type { TrustItem } from "@gantry/trust";
import { readRegularText } from "@gantry/trust";
import type { Git } from "./git.ts";

/** A work tree as git lists it. */
export type Worktree = {
  path: string;
  head?: string;
  /** Short name; absent while HEAD is detached. */
  branch?: string;
  bare: boolean;
  /** The reason of the lock; empty if none was given. */
  locked?: string;
  /** Its folder is missing. */
  gone: boolean;
};

/** All work trees of a repository, the primary one first. */
export async function listWorktrees(git: Git, cwd: string): Promise<Worktree[]> {
  const { out } = await git.read(cwd, ["worktree", "list", "--porcelain", "-z"]);
  return out.split("\0\0").filter(Boolean).map(parseWorktree);
}

function parseWorktree(text: string): Worktree {
  const fields = new Map<string, string>();
  for (const field of text.split("\0")) {
    const space = field.indexOf(" ");
    if (space < 0) fields.set(field, "");
    else fields.set(field.slice(0, space), field.slice(space + 1));
  }
  const path = fields.get("worktree") ?? "";
  const head = fields.get("HEAD");
  const branch = fields.get("branch")?.replace(/^refs\/heads\//, "");
  const locked = fields.get("locked");
  return {
    path: resolveReal(path),
    ...(head && !/^0+$/.test(head) ? { head } : {}),
    ...(branch === undefined ? {} : { branch }),
    bare: fields.has("bare"),
    ...(locked === undefined ? {} : { locked }),
    gone: !fields.has("bare") && !existsSync(path),
  };
}

export type NewWorktree = { path: string; commit: string } & (
  | { branch: string; create: boolean }
  | { branch?: undefined }
);

/** Hooks that a checkout runs. */
const CHECKOUT_HOOKS = ["post-checkout", "post-index-change", "reference-transaction"];

/**
 * Creates a work tree. Runs the repository's filters and hooks only if they are trusted; `withheld` lists what a checkout
 * by the user would have run. Throws git's error, and leaves nothing behind then. Concurrent calls for one repository are serialised,
 * because git fails when two of them write the same administrative files.
 */
export async function addWorktree(git: Git, primary: string, tree: NewWorktree): Promise<{ withheld: TrustItem[] }> {
  const { path, commit, branch } = tree;
  const what =
    branch === undefined
      ? ["--detach", path, commit]
      : tree.create
        ? ["--no-track", "-b", branch, path, commit]
        : [path, branch];
  // The same answer before and after: a setting that is added during the checkout is not reported as run.
  const before = await git.listWithheld(primary);
  await oneWorktreeAtATime(primary, () => git.change(primary, ["worktree", "add", ...what]));
  const withheld = before.length > 0 ? before : await git.listWithheld(path);
  return { withheld: withheld.filter(({ kind, name }) => kind === "filter" || CHECKOUT_HOOKS.includes(name)) };
}

/** Removes a work tree whose folder is missing from git's list, and no other. Does nothing if git does not list it. */
export async function forgetWorktree(git: Git, primary: string, path: string): Promise<void> {
  const known = (await listWorktrees(git, primary)).find((tree) => tree.path === path);
  if (!known) return;
  await git.write(primary, ["worktree", "remove", "--force", "--force", path]);
}

/** Whether the folder is a linked work tree of the repository with this common folder. */
export function isLinkedTo(path: string, commonDir: string): boolean {
  try {
    const [, target] = /^gitdir: (.*)\n?$/s.exec(readRegularText(join(path, ".git"))) ?? [];
    return (
      target !== undefined &&
      resolveReal(resolve(path, target.replace(/\n$/, ""))).startsWith(`${join(commonDir, "worktrees")}/`)
    );
  } catch {
    return false;
  }
}

/** Whether any git process is creating this work tree. */
export function isBeingAdded(path: string): boolean {
  if (process.platform !== "linux") {
    const all = execFileSync("ps", ["-A", "-ww", "-o", "args="], { encoding: "utf8", maxBuffer: 64 << 20 });
    return all.split("\n").some((line) => line.includes("worktree add") && line.includes(path));
  }
  return readdirSync("/proc").some((pid) => {
    const args = /^\d+$/.test(pid) ? commandOf(pid) : [];
    return args.includes("worktree") && args.includes(path);
  });
}

function commandOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return [];
  }
}

function resolveReal(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

const adding = new Map<string, Promise<unknown>>();

/** Serialises `git worktree add` per repository. */
export function oneWorktreeAtATime<Result>(repository: string, work: () => Promise<Result>): Promise<Result> {
  const result = (adding.get(repository) ?? Promise.resolve()).then(work, work);
  const settled = result
    .catch(() => undefined)
    .finally(() => adding.get(repository) === settled && adding.delete(repository));
  adding.set(repository, settled);
  return result;
}
