import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { environmentError } from "../program/errors.ts";

export type NpmResult = { ok: boolean; stdout: string; problem: string };

const LIMIT_MS = 600_000;
const QUIET = ["--no-audit", "--no-fund", "--no-update-notifier", "--ignore-scripts", "--loglevel=error"];

/**
 * Runs the npm of this Node. No script of a package runs. Throws `no_npm` if there is none. The variables of a session
 * are not passed on.
 */
export async function runNpm(
  args: readonly string[],
  { cwd, env }: { cwd: string; env: Record<string, string | undefined> },
): Promise<NpmResult> {
  const bin = dirname(process.execPath);
  const own = join(bin, "npm");
  const passed = Object.entries(env).filter(([name]) => !name.startsWith("GANTRY_"));
  const options = {
    cwd,
    env: { ...Object.fromEntries(passed), PATH: `${bin}:${env.PATH ?? ""}` },
    timeout: LIMIT_MS,
    maxBuffer: 16 * 1024 ** 2,
  };
  return new Promise((resolve, reject) => {
    execFile(existsSync(own) ? own : "npm", [...args, ...QUIET], options, (error, stdout, stderr) => {
      if (!error) return resolve({ ok: true, stdout, problem: "" });
      if ((error as NodeJS.ErrnoException).code === "ENOENT") {
        return reject(
          environmentError(
            "no_npm",
            "npm was not found. Nothing was changed.",
            "Install Node 24 with npm, and try again.",
          ),
        );
      }
      resolve({ ok: false, stdout, problem: firstProblem(stderr) });
    });
  });
}

/** The line of npm's output that names the problem: the first lines are codes. */
function firstProblem(stderr: string): string {
  const lines = stderr.split("\n").map((line) => line.replace(/^npm (error|ERR!) ?/, "").trim());
  const reasons = lines.filter((line) => line !== "" && !/^(code|errno|syscall|path|type|A complete log)\b/.test(line));
  return (reasons[0] ?? "npm reported no reason").slice(0, 300);
}
