import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { overrideVariables, RepositoryConfig } from "@gantry/trust";
import { ToolError } from "../contract/tool.ts";
import { pathOutside, projectFolders } from "../trust/project-paths.ts";

const run = promisify(execFile);

/** A working copy of a folder, including uncommitted changes. The folder itself is not changed. */
export interface Worktree {
  /** The path in the copy that corresponds to the folder. */
  readonly cwd: string;
  /** The changes in the copy since its creation, as a patch for the folder; empty if none. */
  patch(): Promise<string>;
  /** Idempotent. */
  remove(): Promise<void>;
}

/** Throws a `ToolError` outside a git repository or if it has no commit. */
export async function makeWorktree(cwd: string, place: string): Promise<Worktree> {
  const root = await rootOf(cwd);
  const head = (await git(root, ["rev-parse", "--verify", "HEAD"], "The repository has no commit yet")).trim();
  const base = await treeOfNow(root);
  mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
  await git(root, ["worktree", "add", "--detach", "--no-checkout", place, head]);
  await git(place, ["read-tree", base]);
  await git(place, ["checkout-index", "--all", "--force"]);
  return {
    cwd: join(place, relative(root, cwd)),
    async patch() {
      await git(place, ["add", "--all"]);
      const after = (await git(place, ["write-tree"])).trim();
      return git(place, ["diff", "--no-ext-diff", "--no-textconv", "--binary", "--full-index", base, after]);
    },
    async remove() {
      await git(root, ["worktree", "remove", "--force", place]).catch(() =>
        rmSync(place, { recursive: true, force: true }),
      );
      await git(root, ["worktree", "prune"]);
    },
  };
}

/** Throws a `ToolError` outside a git repository. */
export async function rootOf(cwd: string): Promise<string> {
  return (await git(cwd, ["rev-parse", "--show-toplevel"], "Not a git repository")).trim();
}

/** Applies a patch to the folder's files atomically. Returns the reason if it does not apply. */
export async function applyPatch(cwd: string, patch: string): Promise<string | undefined> {
  if (patch === "") return undefined;
  const root = await rootOf(cwd);
  const folder = mkdtempSync(join(tmpdir(), "gantry-patch-"));
  try {
    const file = join(folder, "task.patch");
    writeFileSync(file, patch);
    await git(root, ["apply", "--binary", "--whitespace=nowarn", file]);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Writes a tree of the current files, including untracked ones, without changing the user's index. */
async function treeOfNow(root: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "gantry-index-"));
  try {
    const env = { GIT_INDEX_FILE: join(folder, "index") };
    await git(root, ["read-tree", "HEAD"], undefined, env);
    await git(root, ["add", "--all"], undefined, env);
    return (await git(root, ["write-tree"], undefined, env)).trim();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Hooks, filters and other programs of the repository do not run, in a trusted one neither: only file content counts here. */
const SAFE = ["core.hooksPath=/dev/null", "core.fsmonitor=false", "gc.auto=0", "maintenance.auto=false"];
const SAFE_ARGUMENTS = SAFE.flatMap((setting) => ["-c", setting]);

const repositories = new RepositoryConfig(async (cwd, args, env) => {
  const options = { cwd, env: { ...env }, maxBuffer: 64 * 1024 * 1024 };
  const done = run("git", [...SAFE_ARGUMENTS, ...args], options);
  return done.then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
    (error: { code?: unknown; stdout?: string; stderr?: string }) => ({
      code: typeof error.code === "number" ? error.code : 128,
      out: error.stdout ?? "",
      err: error.stderr ?? "",
    }),
  );
});

async function git(cwd: string, args: string[], failure?: string, more: Record<string, string> = {}): Promise<string> {
  try {
    const PATH = pathOutside(process.env.PATH ?? "", projectFolders({ cwd, home: homedir() }));
    const env = { ...process.env, PATH, ...more };
    const overrides = overrideVariables(await repositories.overridesFor({ cwd, args, env }));
    const options = { cwd, env: { ...env, ...overrides }, maxBuffer: 256 * 1024 * 1024 };
    const { stdout } = await run("git", [...SAFE_ARGUMENTS, ...args], options);
    return stdout;
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    throw new ToolError(`${failure ?? `git ${args[0]} failed`}: ${(stderr || message).trim()}`);
  }
}
