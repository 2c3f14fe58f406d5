import { spawn } from "node:child_process";
import { dirname } from "node:path";

export const root = dirname(import.meta.dirname);

export type StepResult = { name: string; code: number; seconds: number; output: string };

/** Runs a program of the project's `node_modules/.bin` or a path. `live` passes its output through immediately. */
export function step(
  name: string,
  command: string[],
  options: { live?: boolean; env?: Record<string, string> } = {},
): Promise<StepResult> {
  const [program = "", ...args] = command;
  const started = performance.now();
  const env = { ...process.env, ...options.env, PATH: `${root}/node_modules/.bin:${process.env.PATH}` };
  const child = spawn(program, args, { cwd: root, env, stdio: options.live ? "inherit" : ["ignore", "pipe", "pipe"] });
  let output = "";
  child.stdout?.on("data", (chunk) => (output += chunk));
  child.stderr?.on("data", (chunk) => (output += chunk));
  return new Promise((resolve) => {
    const done = (code: number) => resolve({ name, code, seconds: (performance.now() - started) / 1000, output });
    child.on("error", (error) => {
      output += error.message;
      done(127);
    });
    child.on("close", (code) => done(code ?? 1));
  });
}

/** Prints the result of each step, with the output of failed ones. Returns the overall exit code. */
export function report(results: readonly StepResult[]): number {
  for (const { name, code, seconds, output } of results) {
    if (code !== 0) process.stdout.write(`\n── ${name} ──\n${output.trim()}\n`);
    process.stdout.write(`${code === 0 ? "ok  " : "FAIL"} ${name} (${seconds.toFixed(1)} s)\n`);
  }
  return results.some(({ code }) => code !== 0) ? 1 : 0;
}
