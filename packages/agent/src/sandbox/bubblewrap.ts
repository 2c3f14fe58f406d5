import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isInside } from "../permissions/paths.ts";
import { listSockets, SERVICE_FOLDERS, SOCKET_VARIABLES } from "./foreign-sockets.ts";
import { restrictCommand } from "./landlock.ts";
import { type SandboxProfile, temporaryFolders } from "./profile.ts";
import { callFilter } from "./system-calls.ts";

/** Parts of the service folders that programs read at every start. */
const SERVICE_FILES = ["/etc/resolv.conf", "/run/current-system", "/run/opengl-driver"];

/**
 * Settings of the whole machine. The kernel lets their owner, root, change them without any capability, and a user
 * namespace does not change that.
 */
const MACHINE_SETTINGS = ["sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi", "mtrr"].map(
  (name) => `/proc/${name}`,
);

/** Opens the filter of system calls for bubblewrap and closes other files that this process inherited. */
const WITH_FILTER = 'filter=$1; shift; exec "$@" 9<"$filter" 3<&- 4<&- 5<&- 6<&- 7<&- 8<&-';

export type BubblewrapOptions = {
  /** `false` on machines that do not allow a user namespace. */
  userNamespace?: boolean;
  /** The path of bubblewrap, so that no variable of a command decides which program is started outside the sandbox. */
  program?: string;
  /** `false`: without the starter of `landlock.ts`. */
  starter?: boolean;
  /** `false`: without the filter of system calls. */
  filter?: boolean;
};

type Mount = { path: string; args: string[] };

/**
 * The command in bubblewrap: a read-only root, separate processes, no capabilities, and no network unless the profile
 * allows it. Of nested folders the inner one decides.
 */
export function bubblewrapArguments(
  command: readonly string[],
  profile: SandboxProfile,
  cwd: string,
  { userNamespace = true, program = "bwrap", starter = true, filter: filtered = true }: BubblewrapOptions = {},
): string[] {
  const filter = filtered ? filterFile(profile.writable.length > 0) : undefined;
  const namespaces = ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"];
  return [
    ...(filter === undefined ? [] : ["/bin/sh", "-c", WITH_FILTER, "sh", filter]),
    program,
    ...["--die-with-parent", ...namespaces, "--cap-drop", "ALL"],
    ...(userNamespace ? ["--unshare-user"] : []),
    ...(filter === undefined ? [] : ["--seccomp", "9"]),
    ...(profile.terminal ? [] : ["--new-session"]),
    ...mountsOf(profile, cwd).flatMap(({ args }) => args),
    ...(profile.writable.length === 0 && profile.tmp !== undefined ? remountTemporary(profile) : []),
    ...(profile.network ? [] : ["--unshare-net"]),
    ...[...SOCKET_VARIABLES, "PERL5OPT"].flatMap((name) => ["--unsetenv", name]),
    ...["--setenv", "PERL_BADLANG", "0"],
    ...(profile.tmp !== undefined ? ["--setenv", "TMPDIR", profile.tmp] : []),
    ...Object.entries(profile.env ?? {}).flatMap(([name, value]) => ["--setenv", name, value]),
    ...["--chdir", resolveExisting(cwd)[0] ?? "/", "--"],
    ...(starter ? restrictCommand(command, writableFolders(profile)) : command),
  ];
}

function mountsOf(profile: SandboxProfile, cwd: string): Mount[] {
  const readOnly = (path: string) => ({ path, args: ["--ro-bind", path, path] });
  const writableMount = (path: string) => ({ path, args: ["--bind", path, path] });
  const guarded = (profile.readonly ?? []).flatMap(resolveExisting);
  const shown: Mount[] = [
    ...temporaryMounts(profile),
    ...SERVICE_FILES.flatMap(resolveExisting)
      .filter((path) => isInside(path, SERVICE_FOLDERS))
      .map(readOnly),
    ...(profile.visible ?? []).flatMap(resolveExisting).map(readOnly),
    ...[...profile.writable, ...(profile.own ?? [])].flatMap(resolveExisting).map(writableMount),
    // A mount point cannot be renamed, so the folder with the guarded files cannot be replaced by another.
    ...gitFoldersOf(guarded).map(writableMount),
    ...guarded.map(readOnly),
  ];
  const start = [cwd].flatMap(resolveExisting).map(readOnly);
  const cover = (path: string) => coverMount(path, [...start, ...shown]);
  const around = [cwd, ...profile.writable].flatMap(resolveExisting);
  const mounts: Mount[] = [
    { path: "/", args: ["--ro-bind", "/", "/"] },
    { path: "/dev", args: ["--dev", "/dev"] },
    { path: "/proc", args: ["--proc", "/proc"] },
    ...machineSettings().map(readOnly),
    ...SERVICE_FOLDERS.flatMap(resolveExisting).map((path) => ({ path, args: ["--tmpfs", path] })),
    ...start,
    ...dropInnerFolders([...new Set(profile.hidden.flatMap(resolveExisting))], around)
      .filter(isReadable)
      .map(cover),
    ...shown,
    ...foreignSockets(profile).map(cover),
  ];
  // Of two mounts on the same path the later one counts, so the earlier one need not be made.
  const byPath = new Map(mounts.map((mount) => [mount.path, mount]));
  return [...byPath.values()].sort((a, b) => depth(a.path) - depth(b.path));
}

/** Other users own none of the files besides `/proc/sys`, which has settings of their namespaces. */
function machineSettings(): string[] {
  return process.getuid?.() === 0 ? MACHINE_SETTINGS.filter((path) => existsSync(path)) : ["/proc/sys"];
}

/** Drops folders that lie in another one, unless a visible folder between the two would show them. */
function dropInnerFolders(hidden: readonly string[], visible: readonly string[]): string[] {
  const all = new Set(hidden);
  const isShownIn = (path: string, parent: string) =>
    visible.some((folder) => folder !== parent && isInside(folder, [parent]) && isInside(path, [folder]));
  return hidden.filter((path) => parentsOf(path).every((parent) => !all.has(parent) || isShownIn(path, parent)));
}

function parentsOf(path: string): string[] {
  const names = path.split("/").slice(1, -1);
  return names.map((_, at) => `/${names.slice(0, at + 1).join("/")}`);
}

/** Covers a file or folder by an empty one. Only a folder that contains other mounts needs to be a file system itself. */
function coverMount(path: string, shown: readonly Mount[]): Mount {
  if (!statSync(path).isDirectory()) return { path, args: ["--ro-bind", "/dev/null", path] };
  const isParent = shown.some((mount) => isInside(mount.path, [path]));
  return { path, args: isParent ? ["--tmpfs", path] : ["--ro-bind", join(privateFolder(), "empty"), path] };
}

function temporaryMounts({ tmp }: SandboxProfile): Mount[] {
  if (tmp === undefined) return [];
  const shared = temporaryFolders()
    .flatMap(resolveExisting)
    .map((path) => ({ path, args: ["--bind", tmp, path] }));
  return [...shared, ...resolveExisting(tmp).map((path) => ({ path, args: ["--bind", path, path] }))];
}

/** Last, after all mount points in them were created. */
function remountTemporary({ tmp = "" }: SandboxProfile): string[] {
  return [...temporaryFolders(), tmp].flatMap(resolveExisting).flatMap((path) => ["--remount-ro", path]);
}

function gitFoldersOf(guarded: readonly string[]): string[] {
  const folders = guarded.flatMap((path) => /^(.*\/\.git)\/config$/.exec(path)?.[1] ?? []);
  return [...new Set(folders)];
}

/** All sockets with a listening process; those in writable folders are the session's own. */
function foreignSockets({ writable, hidden }: SandboxProfile): string[] {
  const elsewhere = [...SERVICE_FOLDERS, ...temporaryFolders(), ...writable, ...hidden];
  const isForeign = (path: string) => !isInside(path, elsewhere);
  const found = listSockets().filter(isForeign).flatMap(resolveExisting);
  const reached = [...SERVICE_FOLDERS, ...temporaryFolders(), ...writable].flatMap(resolveExisting);
  return [...new Set(found)].filter((path) => isForeign(path) && !isInside(path, reached));
}

function writableFolders({ writable, own = [], tmp, readonly = [] }: SandboxProfile): string[] {
  const temporary = tmp === undefined ? [] : [...temporaryFolders(), tmp];
  return [...new Set([...writable, ...own, ...temporary, ...gitFoldersOf(readonly)].flatMap(resolveExisting))];
}

let scratch: string | undefined;

/** This process's folder with filters and an empty folder. Recreated if the machine has cleaned its temporary files. */
function privateFolder(): string {
  if (scratch !== undefined && existsSync(scratch)) return scratch;
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "gantry-sandbox-"));
  mkdirSync(join(folder, "empty"), { mode: 0o555 });
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  scratch = folder;
  return folder;
}

function filterFile(unixSockets: boolean): string | undefined {
  const file = join(privateFolder(), unixSockets ? "writing" : "reading");
  if (existsSync(file)) return file;
  const filter = callFilter({ unixSockets });
  if (filter !== undefined) writeFileSync(file, filter, { mode: 0o600 });
  return filter && file;
}

function resolveExisting(path: string): string[] {
  try {
    return statSync(path, { throwIfNoEntry: false }) ? [realpathSync.native(path)] : [];
  } catch {
    return [];
  }
}

/** What the user cannot read needs no cover: the command has no more rights than the user. */
function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return process.getuid?.() === 0;
  }
}

function depth(path: string): number {
  return path === "/" ? 0 : path.split("/").length;
}
