import { existsSync, renameSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Action, PermissionMode } from "../permissions/action.ts";
import { isCredential } from "../permissions/credentials.ts";
import { gantryFolders, isGantryPath, sharedFolders } from "../permissions/gantry-folders.ts";
import { gitFolders } from "../permissions/git-folders.ts";
import { isInside } from "../permissions/paths.ts";
import { hiddenCredentials } from "./hidden-paths.ts";
import { findRepositories, guardRepositories, type Repository } from "./repositories.ts";

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
  /** Where `removeForbidden` looks for repositories that the process created, and those that it knows. */
  repositories?: { folders: readonly string[]; known: readonly Repository[] };
  /** The session's folder for temporary files. The process sees it instead of the machine's. */
  tmp?: string;
  /** Folders that are writable in every mode, because the agent itself needs the process to write there. */
  own?: readonly string[];
  /** The process has a separate terminal, so it may stay in that terminal's session. */
  terminal?: boolean;
  /** Variables that the process gets in addition. */
  env?: Readonly<Record<string, string>>;
};

export type ProfileOptions = {
  home: string;
  agentDir: string;
  env?: Readonly<Record<string, string | undefined>>;
  /** Whether a part of the command uses the network. */
  network?: boolean;
  tmp?: string;
  /** Credentials that the user's settings show to every command. */
  shown?: readonly string[];
};

type Place = { cwd: string; folders: readonly string[] };

/**
 * The profile of a process whose actions were allowed. plan: nothing writable. ask: nothing unless a change was allowed,
 * then the folders and the named paths. auto-edit: the folders; the network only for commands that were asked about
 * because they need it. full-auto: the folders and the network.
 */
export function profileFor(
  mode: PermissionMode,
  actions: readonly Action[],
  place: Place,
  options: ProfileOptions,
): SandboxProfile {
  const { agentDir, network = false } = options;
  const gantry = [...gantryFolders({ ...options.env, HOME: options.home }), resolve(agentDir)];
  const base = hidingProfile(actions, place, gantry, options);
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

/**
 * The profile of a language server, the same in every mode: it reads the project and writes only temporary files. Build
 * tools that it starts get caches there too, because a poisoned cache would be used outside the sandbox later.
 */
export function languageServerProfile(place: Place, options: ProfileOptions): SandboxProfile {
  const { tmp } = options;
  const profile = profileFor("plan", [], place, options);
  if (tmp === undefined) return profile;
  const caches = { XDG_CACHE_HOME: "cache", GOCACHE: "go-build", CARGO_TARGET_DIR: "cargo-target" };
  const env = Object.fromEntries(Object.entries(caches).map(([name, folder]) => [name, join(tmp, folder)]));
  return { ...profile, writable: [tmp], env };
}

/** A person was asked about each credential that an action names, in every mode, so those are visible. */
function hidingProfile(
  actions: readonly Action[],
  { cwd, folders }: Place,
  gantry: readonly string[],
  { home, env = {}, tmp, shown = [] }: ProfileOptions,
) {
  const named = actions.flatMap((action) => ("path" in action ? [action.path] : []));
  const asked = named.filter((path) => isCredential(path, [cwd, ...folders], home) && !isInside(path, gantry));
  const used = [cwd, ...folders, ...named, ...shown, ...programFolders(env)];
  const chosen = folders.filter((folder) => isCredential(folder, [], home));
  return {
    hidden: [
      ...hiddenCredentials(home, used).filter((path) => path !== cwd),
      ...gantry,
      ...runtimeFolders(env).filter((path) => ![...used, home].some((each) => isInside(each, [path]))),
    ],
    visible: [...sharedFolders(gantry), ...usedFromTemporary(home, env), ...chosen, ...asked, ...shown],
    ...(tmp !== undefined && { tmp }),
  };
}

/** Below full-auto a person was asked about each path in git's data that an action names, so those may be written. */
function guardGit(mode: PermissionMode, actions: readonly Action[], folders: readonly string[]) {
  const known = findRepositories(folders);
  const { present, missing } = guardRepositories(known);
  const allowed = mode === "full-auto" ? [] : actions.flatMap((action) => ("path" in action ? [action.path] : []));
  const isGuarded = (path: string) => !allowed.some((each) => isInside(each, [path]));
  return {
    readonly: present.filter(isGuarded),
    forbidden: missing.filter(isGuarded),
    repositories: { folders, known },
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

/** Renames a file, so that no program uses it any longer. Not deleted: a person may have created it. Never throws. */
function moveAway(path: string): boolean {
  try {
    renameSync(path, `${path}.blocked-${Date.now()}`);
    return true;
  } catch {
    return false;
  }
}

/**
 * Moves away files that a command created although its profile forbids them, and files of new repositories that name
 * programs. Called when the command has ended; never throws. Returns the paths.
 */
export function removeForbidden({ forbidden = [], repositories }: SandboxProfile): string[] {
  const created = repositories ? findRepositories(repositories.folders, repositories.known) : [];
  const programs = created.flatMap(({ programs }) => programs());
  return [...forbidden.filter((path) => existsSync(path)), ...programs].filter(moveAway);
}

/** The machine's folders for temporary files. Other programs have their sockets there. */
export function temporaryFolders(): string[] {
  return [...new Set(["/tmp", resolve(tmpdir())])];
}

/** Folders in which other programs create sockets, also while a command runs. */
function runtimeFolders(env: Readonly<Record<string, string | undefined>>): string[] {
  return [env.XDG_RUNTIME_DIR, env.TMUX_TMPDIR].flatMap((path) => (path?.startsWith("/") ? [resolve(path)] : []));
}

/** Programs and a home folder that lie among the temporary files. Commands need them there too. */
function usedFromTemporary(home: string, env: Readonly<Record<string, string | undefined>>): string[] {
  const temporary = temporaryFolders();
  const used = [home, ...programFolders(env)];
  return used.filter((path) => isInside(path, temporary) && !temporary.includes(resolve(path)));
}

function programFolders(env: Readonly<Record<string, string | undefined>>): string[] {
  const folders = [dirname(process.execPath), import.meta.dirname, ...(env.PATH ?? "").split(":")];
  return folders.filter((path) => path !== "");
}
