import { type ChildProcess, spawn } from "node:child_process";
import { delimiter, isAbsolute } from "node:path";

/** All that is below a folder, relative to it. `cut`: there is more than is listed. */
export type PathList = { files: string[]; folders: string[]; cut: boolean };

/** Upper bound of files in a folder without git, and how long they are collected. */
const MOST = 200_000;
const LIST_MS = 10_000;
/** What no one names in a prompt, and there is too much of it: also skipped where no git ignores it. */
const UNSEEN = ["!.git", "!node_modules", "!.*/"];

/**
 * The files below `root` that git has or would take, without removed ones; elsewhere the files that ripgrep finds, which
 * leaves out what a `.gitignore` names, hidden folders and links. Never throws; an aborted listing is empty and cut.
 */
export async function listPaths(root: string, signal: AbortSignal): Promise<PathList> {
  return (await listWithGit(root, signal)) ?? (await listWithRipgrep(root, signal));
}

async function listWithGit(cwd: string, signal: AbortSignal): Promise<PathList | undefined> {
  // A repository can configure a file system monitor, which is a program. Listing files must not run it.
  const git = ["--no-optional-locks", "-c", "core.fsmonitor=false"];
  const args = ["ls-files", "-z", "-t", "--cached", "--others", "--deleted", "--exclude-standard"];
  // A relative entry of PATH would be searched in the repository.
  const PATH = (process.env.PATH ?? "").split(delimiter).filter(isAbsolute).join(delimiter) || "/usr/bin:/bin";
  const gone = new Set<string>();
  const paths = new Set<string>();
  const end = await readEntries("git", [...git, ...args], { cwd, PATH, signal }, (entry) => {
    // A letter and a path; `R` is a file that is gone.
    const path = entry.slice(2);
    if (entry.startsWith("R ")) gone.add(path);
    else if (path !== "") paths.add(path);
    return true;
  });
  if (end === "failed") return undefined;
  for (const path of gone) paths.delete(path);
  return groupPaths(paths, end === "stopped");
}

async function listWithRipgrep(cwd: string, signal: AbortSignal): Promise<PathList> {
  const { rgPath } = await import("@vscode/ripgrep");
  const globs = UNSEEN.flatMap((glob) => ["-g", glob]);
  const args = ["--no-config", "--files", "--null", "--hidden", "--no-require-git", ...globs];
  const paths = new Set<string>();
  const end = await readEntries(rgPath, args, { cwd, PATH: process.env.PATH ?? "", signal }, (path) => {
    paths.add(path);
    return paths.size < MOST;
  });
  return groupPaths(paths, end === "stopped");
}

/** Adds the folders of the files. A path that ends with a slash is a folder, such as a nested repository. */
function groupPaths(paths: ReadonlySet<string>, cut: boolean): PathList {
  const files: string[] = [];
  const folders = new Set<string>();
  for (const path of paths) {
    if (path.endsWith("/")) folders.add(path.slice(0, -1));
    else files.push(path);
    addParents(path, folders);
  }
  return { files, folders: [...folders], cut };
}

function addParents(path: string, folders: Set<string>): void {
  for (let end = path.lastIndexOf("/", path.length - 2); end > 0; end = path.lastIndexOf("/", end - 1)) {
    const folder = path.slice(0, end);
    if (folders.has(folder)) return;
    folders.add(folder);
  }
}

type Place = { cwd: string; PATH: string; signal: AbortSignal };

/** Runs a program that prints entries with a zero byte after each. `take` returns false to stop it. */
function readEntries(program: string, args: readonly string[], place: Place, take: (entry: string) => boolean) {
  return new Promise<"ended" | "stopped" | "failed">((resolve) => {
    const { cwd, PATH, signal } = place;
    let child: ChildProcess;
    try {
      child = spawn(program, args, { cwd, env: { ...process.env, PATH }, stdio: ["ignore", "pipe", "ignore"] });
    } catch {
      return resolve("failed");
    }
    let stopped = false;
    let rest = "";
    const stop = () => {
      stopped = true;
      child.kill("SIGKILL");
    };
    const timer = setTimeout(stop, LIST_MS);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop);
    child.stdout?.setEncoding("utf8");
    child.stdout?.on("data", (text: string) => {
      const entries = (rest + text).split("\0");
      rest = entries.pop() ?? "";
      if (!stopped && !entries.every(take)) stop();
    });
    const settle = (end: "ended" | "stopped" | "failed") => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      resolve(end);
    };
    child.on("error", () => settle("failed"));
    child.on("close", (code) => settle(stopped ? "stopped" : code === 0 || program !== "git" ? "ended" : "failed"));
  });
}
