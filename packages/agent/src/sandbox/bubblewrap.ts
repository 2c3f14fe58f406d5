import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { isInside } from "../permissions/paths.ts";
import { type SandboxProfile, temporaryFolders } from "./profile.ts";
import { SOCKET_VARIABLES } from "./socket-variables.ts";

/** Folders with sockets of the machine's services. A read-only mount does not prevent the use of a socket. */
const SERVICES = ["/run", "/var/run"];
/** Parts of them that programs read at every start. */
const SERVICE_FILES = ["/etc/resolv.conf", "/run/current-system", "/run/opengl-driver"];
const MOST_SOCKETS = 256;

type Mount = { path: string; args: string[] };

/**
 * The command in bubblewrap: a read-only root, separate processes, no capabilities, and no network unless the profile
 * allows it. Of nested folders the inner one decides. `userNamespace: false` is for machines that do not allow one.
 */
export function bubblewrapArguments(
  command: readonly string[],
  profile: SandboxProfile,
  cwd: string,
  { userNamespace = true }: { userNamespace?: boolean } = {},
): string[] {
  const mounts = mountsOf(profile, cwd);
  const base = ["--die-with-parent", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--cap-drop", "ALL"];
  return [
    "bwrap",
    ...base,
    ...(userNamespace ? ["--unshare-user"] : []),
    ...(profile.terminal ? [] : ["--new-session"]),
    ...mounts.flatMap(({ args }) => args),
    ...(profile.writable.length === 0 && profile.tmp !== undefined ? remountTemporary(profile) : []),
    ...(profile.network ? [] : ["--unshare-net"]),
    ...SOCKET_VARIABLES.flatMap((name) => ["--unsetenv", name]),
    ...(profile.tmp !== undefined ? ["--setenv", "TMPDIR", profile.tmp] : []),
    ...["--chdir", resolveExisting(cwd)[0] ?? "/", "--"],
    ...command,
  ];
}

function mountsOf(profile: SandboxProfile, cwd: string): Mount[] {
  const readOnly = (path: string) => ({ path, args: ["--ro-bind", path, path] });
  const writableMount = (path: string) => ({ path, args: ["--bind", path, path] });
  const coveredMount = (path: string) => ({ path, args: cover(path) });
  const guarded = (profile.readonly ?? []).flatMap(resolveExisting);
  const mounts: Mount[] = [
    { path: "/", args: ["--ro-bind", "/", "/"] },
    { path: "/dev", args: ["--dev", "/dev"] },
    { path: "/proc", args: ["--proc", "/proc"] },
    ...SERVICES.flatMap(resolveExisting).map((path) => ({ path, args: ["--tmpfs", path] })),
    ...temporaryMounts(profile),
    ...SERVICE_FILES.flatMap(resolveExisting)
      .filter((path) => isInside(path, SERVICES))
      .map(readOnly),
    ...[cwd].flatMap(resolveExisting).map(readOnly),
    ...dropInnerFolders(
      profile.hidden.flatMap(resolveExisting),
      [cwd, ...profile.writable].flatMap(resolveExisting),
    ).map(coveredMount),
    ...(profile.visible ?? []).flatMap(resolveExisting).map(readOnly),
    ...[...profile.writable, ...(profile.own ?? [])].flatMap(resolveExisting).map(writableMount),
    // A mount point cannot be renamed, so the folder with the guarded files cannot be replaced by another.
    ...gitFoldersOf(guarded).map(writableMount),
    ...guarded.map(readOnly),
    ...foreignSockets(profile).map(coveredMount),
  ];
  // A stable sort: of two mounts on the same path the later one counts.
  return mounts.sort((a, b) => depth(a.path) - depth(b.path));
}

/** Drops folders that lie in another one: only a folder below a visible one has to be hidden again. */
function dropInnerFolders(hidden: readonly string[], visible: readonly string[]): string[] {
  return hidden.filter((path) => {
    const others = hidden.filter((each) => each !== path);
    return !isInside(path, others) || isInside(path, visible);
  });
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
  let table = "";
  try {
    table = readFileSync("/proc/net/unix", "utf8");
  } catch {
    return [];
  }
  const elsewhere = [...SERVICES, ...temporaryFolders(), ...hidden, ...writable].flatMap(resolveExisting);
  const paths = new Set(table.split("\n").flatMap((line) => /^(?:\S+\s+){7}(\/.*)$/.exec(line)?.[1] ?? []));
  return [...paths]
    .flatMap(resolveExisting)
    .filter((path) => !isInside(path, elsewhere))
    .slice(0, MOST_SOCKETS);
}

function cover(path: string): string[] {
  return statSync(path).isDirectory() ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path];
}

function resolveExisting(path: string): string[] {
  try {
    const found = realpathSync(path);
    return existsSync(found) ? [found] : [];
  } catch {
    return [];
  }
}

function depth(path: string): number {
  return path === "/" ? 0 : path.split("/").length;
}
