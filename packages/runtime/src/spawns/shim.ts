import { chmodSync, mkdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { replaceFile } from "@gantry/models/replace-file";

/**
 * Writes an executable `gantry` in a dedicated folder that runs the command with which this daemon was started. Returns
 * its path.
 */
export function writeShim(home: string, program: readonly string[]): string {
  const folder = join(home, "bin");
  const path = join(folder, "gantry");
  const command = program.map((part) => `'${part.replaceAll("'", `'\\''`)}'`).join(" ");
  const text = `#!/bin/sh\n# Written by the daemon when it starts.\nexec ${command} "$@"\n`;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (read(path) !== text) replaceFile(path, text);
  chmodSync(path, 0o700);
  return path;
}

/** The environment with the shim's folder at the end of PATH, so that any other `gantry` takes precedence. */
export function withShim(env: Record<string, string>, shim: string | undefined): Record<string, string> {
  if (!shim) return env;
  const folder = join(shim, "..");
  return { ...env, PATH: env.PATH ? `${env.PATH}${delimiter}${folder}` : folder };
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
