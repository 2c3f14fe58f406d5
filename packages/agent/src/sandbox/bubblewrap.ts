import { realpathSync, statSync } from "node:fs";
import type { SandboxProfile } from "./profile.ts";

/** Sockets over which anything could be had from outside, whatever the disk allows. */
const ESCAPES = [
  "/run/docker.sock",
  "/var/run/docker.sock",
  "/run/podman/podman.sock",
  "/run/containerd/containerd.sock",
];

type Mount = { path: string; args: string[] };

/**
 * The command within bubblewrap: a root that can only be read, own processes, and no network unless the profile has it.
 * Of folders within one another the inner one decides.
 */
export function bubblewrapArguments(command: readonly string[], profile: SandboxProfile, cwd: string): string[] {
  const mounts: Mount[] = [
    { path: "/", args: ["--ro-bind", "/", "/"] },
    { path: "/dev", args: ["--dev", "/dev"] },
    { path: "/proc", args: ["--proc", "/proc"] },
    ...[cwd].flatMap(real).map((path) => ({ path, args: ["--ro-bind", path, path] })),
    ...profile.hidden.flatMap(real).map((path) => ({ path, args: cover(path) })),
    ...profile.writable.flatMap(real).map((path) => ({ path, args: ["--bind", path, path] })),
    ...ESCAPES.flatMap(real).map((path) => ({ path, args: cover(path) })),
  ];
  // A stable sort: of two for the same path the later one counts.
  mounts.sort((a, b) => depth(a.path) - depth(b.path));
  const base = ["--die-with-parent", "--unshare-pid", "--unshare-ipc", "--unshare-uts"];
  return [
    "bwrap",
    ...base,
    ...mounts.flatMap(({ args }) => args),
    ...(profile.network ? [] : ["--unshare-net"]),
    ...["--chdir", real(cwd)[0] ?? "/", "--"],
    ...command,
  ];
}

function cover(path: string): string[] {
  return statSync(path).isDirectory() ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path];
}

function real(path: string): string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}

function depth(path: string): number {
  return path === "/" ? 0 : path.split("/").length;
}
