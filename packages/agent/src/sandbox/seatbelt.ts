import { realpathSync } from "node:fs";
import type { SandboxProfile } from "./profile.ts";

/** The command within macOS's sandbox-exec. The last rule that fits decides. */
export function seatbeltArguments(command: readonly string[], profile: SandboxProfile, cwd: string): string[] {
  return ["sandbox-exec", "-p", seatbeltRules(profile, cwd), ...command];
}

export function seatbeltRules({ writable, network, hidden }: SandboxProfile, cwd: string): string {
  const visible = [cwd, ...writable].map(subpath).join(" ");
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
    ...(network ? [] : ["(deny network*)"]),
  ].join("\n");
}

function subpath(path: string): string {
  let target = path;
  try {
    target = realpathSync(path);
  } catch {
    // What does not exist yet is meant as it is written.
  }
  return `(subpath ${JSON.stringify(target)})`;
}
