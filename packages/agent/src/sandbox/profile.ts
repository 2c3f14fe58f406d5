import { existsSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Action, PermissionMode } from "../permissions/action.ts";
import { isInside } from "../permissions/paths.ts";

/** What a process may do while it runs. All else of the disk can be read, and nothing of it written. */
export type SandboxProfile = {
  writable: readonly string[];
  network: boolean;
  /** Folders and files that are not even to be seen. A writable folder in one of them can be seen. */
  hidden: readonly string[];
};

export type ProfileOptions = {
  home: string;
  agentDir: string;
  /** Does a part of what runs speak with the network? */
  network?: boolean;
};

/**
 * What the mode gives a process whose actions were allowed. plan: nothing writable. ask: nothing unless a change was
 * allowed, then the folders and what was named. auto-edit: the folders; the network only for commands that were asked
 * about because they need it. full-auto: the folders and the network.
 */
export function profileFor(
  mode: PermissionMode,
  actions: readonly Action[],
  place: { cwd: string; folders: readonly string[] },
  { home, agentDir, network = false }: ProfileOptions,
): SandboxProfile {
  const hidden = [...[".ssh", ".gnupg", ".aws", ".config/gcloud", ".kube"].map((name) => join(home, name)), agentDir];
  const changes = actions.some(({ kind }) => !["bash.readonly", "file.read", "inner"].includes(kind));
  if (mode === "plan" || (mode === "ask" && !changes)) return { writable: [], network: false, hidden };
  const folders = [place.cwd, ...place.folders];
  return {
    writable: [...folders, ...folders.flatMap(gitFolders), tmpdir(), ...named(actions, folders)],
    network: mode === "full-auto" || (mode === "ask" && changes) || network,
    hidden,
  };
}

/** The folders of files outside that were allowed to be changed by name. */
function named(actions: readonly Action[], folders: readonly string[]): string[] {
  return actions.flatMap((action) => {
    if (action.kind !== "file.write" && action.kind !== "file.delete") return [];
    const folder = dirname(action.path);
    return isInside(action.path, folders) || folder === "/" || !existsSync(folder) ? [] : [folder];
  });
}

/** Where git keeps what belongs to a folder, if that is elsewhere: a worktree's, or that of a folder further up. */
export function gitFolders(folder: string): string[] {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const git = join(at, ".git");
    const kind = statSync(git, { throwIfNoEntry: false });
    if (kind?.isDirectory()) return at === resolve(folder) ? [] : [git];
    if (kind?.isFile()) return linked(at, git);
    if (dirname(at) === at) return [];
  }
}

function linked(at: string, file: string): string[] {
  try {
    const own = resolve(at, /^gitdir: (.+)$/m.exec(readFileSync(file, "utf8"))?.[1] ?? "");
    const common = join(own, "commondir");
    return existsSync(common) ? [own, resolve(own, readFileSync(common, "utf8").trim())] : [own];
  } catch {
    return [];
  }
}
