import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { withoutRelativePath } from "../agents/finding/environment.ts";

const run = promisify(execFile);

/** All that is below a folder. `cut`: there is more than is listed. */
export type PathList = { files: string[]; folders: string[]; cut: boolean };

/** Upper bound of entries read in a folder without git. */
const MOST = 50_000;
const WALK_MS = 3000;
const GIT_MS = 10_000;
/** What no one names in a prompt, and there is too much of it. */
const UNSEEN = new Set([".git", "node_modules"]);

/**
 * The files below `root` that git has or would take, those that were removed left out; elsewhere all files that a walk of
 * bounded length finds, the nearest first. Never throws.
 */
export async function listPaths(root: string): Promise<PathList> {
  return (await fromGit(root)) ?? walk(root);
}

async function fromGit(cwd: string): Promise<PathList | undefined> {
  // A repository can configure a file system monitor, which is a program. Listing files must not run it.
  const git = ["--no-optional-locks", "-c", "core.fsmonitor=false"];
  const args = ["ls-files", "-z", "-t", "--cached", "--others", "--deleted", "--exclude-standard"];
  try {
    const { stdout } = await run("git", [...git, ...args], {
      cwd,
      env: withoutRelativePath(process.env),
      timeout: GIT_MS,
      maxBuffer: 128 * 1024 * 1024,
    });
    return fromEntries(stdout.split("\0"));
  } catch {
    return undefined;
  }
}

/** Entries as `git ls-files -t` gives them: a letter and a path; `R` is a file that is gone, a slash at the end a folder. */
function fromEntries(entries: readonly string[]): PathList {
  const gone = new Set(entries.filter((entry) => entry.startsWith("R ")).map((entry) => entry.slice(2)));
  const files = new Set<string>();
  const folders = new Set<string>();
  for (const entry of entries) {
    const path = entry.slice(2);
    if (path === "" || gone.has(path)) continue;
    if (path.endsWith("/")) folders.add(path.slice(0, -1));
    else files.add(path);
    addParents(path, folders);
  }
  return { files: [...files], folders: [...folders], cut: false };
}

function addParents(path: string, folders: Set<string>): void {
  for (let end = path.lastIndexOf("/", path.length - 2); end > 0; end = path.lastIndexOf("/", end - 1)) {
    const folder = path.slice(0, end);
    if (folders.has(folder)) return;
    folders.add(folder);
  }
}

async function walk(root: string): Promise<PathList> {
  const deadline = performance.now() + WALK_MS;
  const found: PathList = { files: [], folders: [], cut: false };
  // Breadth first: the list grows while it is iterated.
  const ahead = [""];
  for (const folder of ahead) {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (!entry.isDirectory()) found.files.push(path);
      else if (!UNSEEN.has(entry.name)) {
        found.folders.push(path);
        if (!entry.name.startsWith(".")) ahead.push(path);
      }
    }
    if (found.files.length + found.folders.length >= MOST || performance.now() > deadline)
      return { ...found, cut: true };
  }
  return found;
}
