import { spawn } from "node:child_process";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import manifest from "../package.json" with { type: "json" };
import { runCommandLine } from "./cli.ts";

export type Result = { status: number | null; stdout: string; stderr: string };

const main = fileURLToPath(new URL("./main.ts", import.meta.url));

/** Runs the real command in a separate process with pipes. `onOutput` gets the output so far and may end the process. */
export type Runner = (
  args: string[],
  options?: {
    input?: string;
    cwd?: string;
    onOutput?: (stdout: string, kill: (signal: NodeJS.Signals) => void) => void;
  },
) => Promise<Result>;

/** `variables` are added to the environment of the command. */
export function commandLine(home: string, variables: Record<string, string> = {}): Runner {
  return (args, options = {}) =>
    new Promise((resolve, reject) => {
      const env = { PATH: process.env.PATH, HOME: process.env.HOME, GANTRY_HOME: home, ...variables };
      const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", main, ...args], {
        env,
        cwd: options.cwd,
      });
      let stdout = "";
      let stderr = "";
      child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
        stdout += chunk;
        options.onOutput?.(stdout, (signal) => child.kill(signal));
      });
      child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
        stderr += chunk;
      });
      child.on("error", reject);
      child.on("close", (status) => resolve({ status, stdout, stderr }));
      child.stdin.end(options.input ?? "");
    });
}

/** The same in this process, for commands that end without a signal and print through their output. */
export async function inProcess(home: string, args: string[], input = ""): Promise<Result> {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const terminal = {
    stdin: Readable.from(input ? [Buffer.from(input)] : []) as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr: stderr as unknown as NodeJS.WriteStream,
    env: { GANTRY_HOME: home },
  };
  const printed = Promise.all([text(stdout), text(stderr)]);
  const status = await runCommandLine(args, manifest.version, terminal);
  stdout.end();
  stderr.end();
  const [out, err] = await printed;
  return { status, stdout: out, stderr: err };
}
