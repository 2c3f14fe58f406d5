import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const MAX_FILES = 100;
const MAX_DEPTH = 3;

/**
 * The files of a folder, for an agent that does not list them itself: tracked and untracked files by git, else files up
 * to three folders deep without hidden ones. At most a hundred, and the number of the others. Never throws.
 */
export async function listFiles(cwd: string): Promise<{ files: string[]; more: number }> {
  const all = ((await fromGit(cwd)) ?? (await walk(cwd, "", 1))).sort();
  return { files: all.slice(0, MAX_FILES), more: Math.max(0, all.length - MAX_FILES) };
}

async function fromGit(cwd: string): Promise<string[] | undefined> {
  // A repository can configure a monitor, which is a program.
  const args = [
    "--no-optional-locks",
    "-c",
    "core.fsmonitor=false",
    "ls-files",
    "-z",
    "--cached",
    "--others",
    "--exclude-standard",
  ];
  const options = { cwd, timeout: 5000, maxBuffer: 32 * 1024 * 1024 };
  return run("git", args, options).then(
    ({ stdout }) => stdout.split("\0").filter((name) => name !== ""),
    () => undefined,
  );
}

async function walk(root: string, folder: string, depth: number): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
  const lists = entries
    .filter(({ name }) => !name.startsWith(".") && name !== "node_modules")
    .map(async (entry) => {
      const path = join(folder, entry.name);
      if (!entry.isDirectory()) return [path];
      return depth < MAX_DEPTH ? walk(root, path, depth + 1) : [`${path}/`];
    });
  return (await Promise.all(lists)).flat();
}
