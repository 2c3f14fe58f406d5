import { realpathSync } from "node:fs";
import { SOCKET_VARIABLES } from "./foreign-sockets.ts";
import { type SandboxProfile, temporaryFolders } from "./profile.ts";

/** Where macOS and its programs have sockets: services, ssh-agent, Docker. */
const SOCKET_FOLDERS = ["/private/var/run", "/private/tmp", "/private/var/tmp"];
/** Resolves host names. */
const NAME_SERVICE = "/private/var/run/mDNSResponder";

/** The command in macOS's sandbox-exec. The last matching rule decides. */
export function seatbeltArguments(command: readonly string[], profile: SandboxProfile, cwd: string): string[] {
  const without = SOCKET_VARIABLES.flatMap((name) => ["-u", name]);
  const variables = Object.entries(profile.env ?? {}).map(([name, value]) => `${name}=${value}`);
  return [
    "/usr/bin/sandbox-exec",
    "-p",
    seatbeltRules(profile, cwd),
    "/usr/bin/env",
    ...without,
    ...variables,
    ...command,
  ];
}

export function seatbeltRules(profile: SandboxProfile, cwd: string): string {
  const { network, hidden, visible: shown = [], readonly = [], forbidden = [], tmp } = profile;
  // On macOS the machine's temporary folder cannot be replaced by the session's.
  const temporary = tmp === undefined || profile.writable.length === 0 ? [] : [...temporaryFolders(), tmp];
  const writable = [...profile.writable, ...(profile.own ?? []), ...temporary];
  const visible = [cwd, ...writable, ...shown].map(subpath).join(" ");
  return [
    "(version 1)",
    "(allow default)",
    "(deny file-write*)",
    '(allow file-write* (subpath "/dev"))',
    ...hidden.map((path) => `(deny file-read* file-write* ${subpath(path)})`),
    `(allow file-read* ${visible})`,
    ...writable.map((path) => `(allow file-write* ${subpath(path)})`),
    ...hidden
      .filter((path) => [cwd, ...writable].some((folder) => path.startsWith(`${folder}/`)))
      .map((path) => `(deny file-read* file-write* ${subpath(path)})`),
    ...[...readonly, ...forbidden].map((path) => `(deny file-write* ${subpath(path)})`),
    ...(network ? socketRules(writable) : ["(deny network*)"]),
  ].join("\n");
}

/** Sockets with a file name count as network. Only those in the session's own folders are allowed. */
function socketRules(writable: readonly string[]): string[] {
  return [
    `(deny network-outbound ${SOCKET_FOLDERS.map(subpath).join(" ")})`,
    `(allow network-outbound (literal "${NAME_SERVICE}"))`,
    ...writable
      .filter((path) => !temporaryFolders().includes(path))
      .map((path) => `(allow network-outbound ${subpath(path)})`),
  ];
}

function subpath(path: string): string {
  let target = path;
  try {
    target = realpathSync(path);
  } catch {
    // A path that does not exist yet has no real path, so it is used unchanged.
  }
  return `(subpath ${JSON.stringify(target)})`;
}
