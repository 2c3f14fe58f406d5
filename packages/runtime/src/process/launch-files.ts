import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Launch } from "../agents/contract.ts";
import { readOverlay } from "../agents/kit/overlay.ts";

/**
 * Writes the files and links of a launch into the process's own folder. `env` is the process's environment without that of
 * the launch. Throws if a settings file of the machine exists and cannot be read: its rules would be lost.
 */
export function writeLaunchFiles(
  folder: string,
  { files = {}, links = {}, overlays = {} }: Launch,
  env: Readonly<Record<string, string | undefined>> = {},
): void {
  for (const [name, content] of Object.entries(files)) writePrivateFile(pathInside(folder, name), content);
  for (const [name, overlay] of Object.entries(overlays)) {
    writePrivateFile(pathInside(folder, name), JSON.stringify(readOverlay(overlay, env), null, 2));
  }
  for (const [name, target] of Object.entries(links)) {
    const path = pathInside(folder, name);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    symlinkSync(target, path);
  }
}

/** Writes a file that only the user can read. */
export function writePrivateFile(path: string, content: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, content, { mode: 0o600 });
}

function pathInside(folder: string, name: string): string {
  const path = join(folder, name);
  if (relative(folder, path).startsWith("..")) throw new Error(`${name} is outside the process's folder`);
  return path;
}
