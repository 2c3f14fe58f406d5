import { existsSync, renameSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Action, PermissionMode } from "../permissions/action.ts";
import { gantryFolders, isGantryPath, sharedFolders } from "../permissions/gantry-folders.ts";
import { findGit, gitFolders, gitPrograms } from "../permissions/git-folders.ts";
import { isInside } from "../permissions/paths.ts";

/** What a process may do. The rest of the disk is read-only. */
export type SandboxProfile = {
  writable: readonly string[];
  network: boolean;
  /** Folders and files that are invisible. A writable or visible folder in one of them is visible. */
  hidden: readonly string[];
  /** Folders and files in hidden folders that stay readable. */
  visible?: readonly string[];
  /** Files and folders in writable folders that stay read-only. */
  readonly?: readonly string[];
  /** Paths in writable folders that do not exist and must not be created. `removeForbidden` enforces it. */
  forbidden?: readonly string[];
  /** The session's folder for temporary files. The process sees it instead of the machine's. */
  tmp?: string;
  /** Folders that are writable in every mode, because the agent itself needs the process to write there. */
  own?: readonly string[];
  /** The process has a separate terminal, so it may stay in that terminal's session. */
  terminal?: boolean;
};

export type ProfileOptions = {
  home: string;
  agentDir: string;
  env?: Readonly<Record<string, string | undefined>>;
  /** Whether a part of the command uses the network. */
  network?: boolean;
  tmp?: string;
};

/**
 * The profile of a process whose actions were allowed. plan: nothing writable. ask: nothing unless a change was allowed,
 * then the folders and the named paths. auto-edit: the folders; the network only for commands that were asked about
 * because they need it. full-auto: the folders and the network.
 */
export function profileFor(
  mode: PermissionMode,
  actions: readonly Action[],
  place: { cwd: string; folders: readonly string[] },
  { home, agentDir, env = {}, network = false, tmp }: ProfileOptions,
): SandboxProfile {
  const gantry = [...gantryFolders({ ...env, HOME: home }), resolve(agentDir)];
  const hidden = [...[".ssh", ".gnupg", ".aws", ".config/gcloud", ".kube"].map((name) => join(home, name)), ...gantry];
  const visible = [...sharedFolders(gantry), ...usedFromTemporary(home, env)];
  const base = { hidden, visible, ...(tmp !== undefined && { tmp }) };
  const changes = actions.some(({ kind }) => !["bash.readonly", "file.read", "inner"].includes(kind));
  if (mode === "plan" || (mode === "ask" && !changes)) return { ...base, writable: [], network: false };
  const folders = [place.cwd, ...place.folders].filter((folder) => !gantry.includes(resolve(folder)));
  const named = namedFolders(actions, folders).filter((folder) => !isGantryPath(folder, gantry, folders));
  return {
    ...base,
    ...guardGit(mode, actions, folders),
    writable: [...folders, ...folders.flatMap(gitFolders), ...named],
    network: mode === "full-auto" || (mode === "ask" && changes) || network,
  };
}

/** Below full-auto a person was asked about each path in git's data that an action names, so those may be written. */
function guardGit(mode: PermissionMode, actions: readonly Action[], folders: readonly string[]) {
  const found = folders.flatMap((folder) => findGit(folder) ?? []).map(gitPrograms);
  const allowed = mode === "full-auto" ? [] : actions.flatMap((action) => ("path" in action ? [action.path] : []));
  const isGuarded = (path: string) => !allowed.some((each) => isInside(each, [path]));
  return {
    readonly: [...new Set(found.flatMap(({ present }) => present))].filter(isGuarded),
    forbidden: [...new Set(found.flatMap(({ missing }) => missing))].filter(isGuarded),
  };
}

/** The folders of files outside the session's folders whose change was allowed by name. */
function namedFolders(actions: readonly Action[], folders: readonly string[]): string[] {
  return actions.flatMap((action) => {
    if (action.kind !== "file.write" && action.kind !== "file.delete") return [];
    const folder = dirname(action.path);
    const machineWide = folder === "/" || temporaryFolders().includes(folder);
    return isInside(action.path, folders) || machineWide || !existsSync(folder) ? [] : [folder];
  });
}

/**
 * Moves away files that a command created although its profile forbids them. Called when the command has ended; never
 * throws. Returns the paths. The files are renamed, not deleted: a person may have created them at the same time.
 */
export function removeForbidden({ forbidden = [] }: SandboxProfile): string[] {
  return forbidden.filter((path) => {
    if (!existsSync(path)) return false;
    try {
      renameSync(path, `${path}.blocked-${Date.now()}`);
      return true;
    } catch {
      return false;
    }
  });
}

/** The machine's folders for temporary files. Other programs have their sockets there. */
export function temporaryFolders(): string[] {
  return [...new Set(["/tmp", resolve(tmpdir())])];
}

/** Programs and a home folder that lie among the temporary files. Commands need them there too. */
function usedFromTemporary(home: string, env: Readonly<Record<string, string | undefined>>): string[] {
  const temporary = temporaryFolders();
  const used = [home, dirname(process.execPath), import.meta.dirname, ...(env.PATH ?? "").split(":")];
  return used.filter((path) => path !== "" && isInside(path, temporary) && !temporary.includes(resolve(path)));
}
