import { spawn } from "node:child_process";

/** A process in a separate group. `ended` resolves once, also when the process could not be started. */
export type Running = { pid: number | undefined; ended: Promise<Ended> };
export type Ended = { code?: number; signal?: string; failed?: string };

export type Start = {
  command: readonly string[];
  cwd: string;
  env: Record<string, string>;
  pty: boolean;
  take(chunk: Buffer): void;
};

/** How long descendants may hold the output open after the process has ended. */
const DRAIN_MS = 250;

export async function startProcess(start: Start): Promise<Running> {
  return start.pty ? startInPty(start) : startPiped(start);
}

function startPiped({ command, cwd, env, take }: Start): Running {
  const [program = "", ...args] = command;
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.on("data", take);
  child.stderr.on("data", take);
  const ended = new Promise<Ended>((resolve) => {
    child.on("error", (error) => resolve({ failed: error.message }));
    child.on("exit", (code, signal) => {
      const result = { ...(code !== null && { code }), ...(signal && { signal }) };
      const timer = setTimeout(done, DRAIN_MS);
      child.on("close", done);
      function done() {
        clearTimeout(timer);
        child.stdout.destroy();
        child.stderr.destroy();
        resolve(result);
      }
    });
  });
  return { pid: child.pid, ended };
}

async function startInPty({ command, cwd, env, take }: Start): Promise<Running> {
  const { spawn: spawnPty } = await import("@lydell/node-pty");
  const [program = "", ...args] = command;
  const terminal = spawnPty(program, args, { cwd, env: { ...env, TERM: "xterm-256color" }, cols: 120, rows: 40 });
  terminal.onData((text) => take(Buffer.from(text)));
  const ended = new Promise<Ended>((resolve) => {
    terminal.onExit(({ exitCode, signal }) => resolve(signal ? { signal: String(signal) } : { code: exitCode }));
  });
  return { pid: terminal.pid, ended };
}
