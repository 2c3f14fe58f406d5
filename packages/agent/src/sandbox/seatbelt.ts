import { realpathSync } from "node:fs";
import { type SandboxProfile, temporaryFolders } from "./profile.ts";
import { SOCKET_VARIABLES } from "./socket-variables.ts";

/** The command in macOS's sandbox-exec. The last matching rule decides. */
export function seatbeltArguments(command: readonly string[], profile: SandboxProfile, cwd: string): string[] {
  const without = SOCKET_VARIABLES.flatMap((name) => ["-u", name]);
  return ["sandbox-exec", "-p", seatbeltRules(profile, cwd), "env", ...without, ...command];
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
    ...(network ? [] : ["(deny network*)"]),
  ].join("\n");
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
