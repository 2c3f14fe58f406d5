import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { type FolderList, GantryError } from "@gantry/protocol";
import { sessionFolder } from "../session/folders.ts";

/** A folder with more is no place to pick from. */
const MOST = 2000;
const RECENT = 12;

/**
 * The folders inside of `path`, or of the user's home folder, by name, hidden ones last. `used` are folders of sessions,
 * the newest first; those that are still there are given as recent. Throws `invalid`.
 */
export async function listFolders(path: string | undefined, used: readonly string[]): Promise<FolderList> {
  const home = homedir();
  const folder = sessionFolder({ cwd: path ?? home });
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    throw new GantryError("invalid", `${folder} cannot be read (${error.code}).`, { remedy: "Choose another folder." });
  });
  const names: string[] = [];
  for (const entry of entries.slice(0, 10 * MOST)) {
    const leads = entry.isDirectory() || (entry.isSymbolicLink() && (await isFolder(join(folder, entry.name))));
    if (leads && names.length < MOST) names.push(entry.name);
  }
  names.sort((a, b) => Number(a.startsWith(".")) - Number(b.startsWith(".")) || a.localeCompare(b));
  const parent = dirname(folder);
  return {
    path: folder,
    ...(parent === folder ? {} : { parent }),
    home,
    folders: names.map((name) => ({ name, path: join(folder, name), git: isRepository(join(folder, name)) })),
    recent: await recentFolders(used),
  };
}

async function recentFolders(used: readonly string[]): Promise<FolderList["recent"]> {
  const recent: FolderList["recent"] = [];
  for (const path of new Set(used)) {
    if (recent.length < RECENT && (await isFolder(path))) recent.push({ path, git: isRepository(path) });
  }
  return recent;
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

/** Also a worktree or a submodule, whose `.git` is a file. */
function isRepository(path: string): boolean {
  return existsSync(join(path, ".git"));
}
