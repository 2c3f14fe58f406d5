import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Launch } from "../../agents/contract.ts";

/** Puts on disk what a process is to find there, in its own folder `given`. */
export function give(given: string, { files = {}, links = {} }: Launch): void {
  for (const [name, content] of Object.entries(files)) writePrivateFile(below(given, name), content);
  for (const [name, target] of Object.entries(links)) {
    const path = below(given, name);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    symlinkSync(target, path);
  }
}

/** A file that only the user can read. */
export function writePrivateFile(path: string, content: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, content, { mode: 0o600 });
}

function below(folder: string, name: string): string {
  const path = join(folder, name);
  if (relative(folder, path).startsWith("..")) throw new Error(`${name} lies outside of the process's folder`);
  return path;
}
