import childProcess from "node:child_process";
import { mkdirSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { homedir } from "node:os";
import { basename, isAbsolute, join } from "node:path";

/** Where the SDK stores conversations. Nothing there is executed or read as configuration. */
const stateFolders = () => [join(homedir(), ".cursor", "projects"), join(homedir(), ".cursor", "sdk")];

/** Options of ripgrep that run other programs. */
const RUNS_PROGRAMS = /^--(pre|hostname-bin)\b/;

/**
 * Makes this process read-only for the plan mode, which the SDK passes to Cursor's service and does not enforce itself:
 * the process is replaced by the same one under Node's permission model. It can write the SDK's conversations and its
 * `scratch` folder only, and `guardPrograms` limits the programs that it starts. Threads, to which the guard would not
 * apply, cannot be started. Returns in the replaced process.
 */
export function enterReadOnly(scratch: string): void {
  if (process.permission) return guardPrograms();
  const writable = [scratch, ...stateFolders()];
  for (const folder of writable) mkdirSync(folder, { recursive: true });
  const flags = [
    "--disable-warning=SecurityWarning",
    "--disable-warning=ExperimentalWarning",
    "--permission",
    "--allow-fs-read=*",
    "--allow-child-process",
    ...writable.map((folder) => `--allow-fs-write=${folder}/`),
  ];
  const env = { ...process.env, TMPDIR: scratch } as Record<string, string>;
  process.execve?.(process.execPath, [process.execPath, ...flags, ...process.argv.slice(1)], env);
  throw new Error("This version of Node cannot start a read-only process.");
}

type Start = (file: string, ...rest: unknown[]) => unknown;

/** No such file: a caller gets the error in the same way as for a program that is not installed. */
const REFUSED = "/plan-mode-runs-no-programs";

/** Children are not bound by the permission model, so only the search program of the SDK may start. */
function guardPrograms(): void {
  const patched = childProcess as unknown as Record<string, Start>;
  for (const name of ["spawn", "spawnSync", "execFile", "execFileSync"]) {
    const start = patched[name] as Start;
    patched[name] = (file, ...rest) => {
      const args = Array.isArray(rest[0]) ? (rest[0] as unknown[]).map(String) : [];
      const options = rest.find((part) => typeof part === "object" && part !== null && !Array.isArray(part)) as
        | { shell?: unknown }
        | undefined;
      const usesShell = Boolean(options?.shell);
      if (!usesShell && isSearch(file, args)) return start(file, ...rest);
      const quiet = rest.map((part) => (part === options ? { ...options, shell: false } : part));
      return start(REFUSED, ...quiet);
    };
  }
  for (const name of ["exec", "execSync", "fork"]) {
    patched[name] = (file) => {
      throw Object.assign(new Error(`The plan mode does not run programs: ${file}`), { code: "EACCES" });
    };
  }
  syncBuiltinESMExports();
}

function isSearch(file: string, args: readonly string[]): boolean {
  return isAbsolute(file) && basename(file) === "rg" && !args.some((argument) => RUNS_PROGRAMS.test(argument));
}
