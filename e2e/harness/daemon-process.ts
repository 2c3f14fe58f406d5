import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { requireNoTokenLeak } from "@gantry/testkit";

const ROOT = join(import.meta.dirname, "../..");
const FLAGS = ["--disable-warning=ExperimentalWarning"];
const START_MS = 90_000;

export type DaemonProcess = {
  url: string;
  token: string;
  pid: number;
  /** Sends the signal and resolves when the process has ended. */
  end(signal: NodeJS.Signals): Promise<void>;
};

let program = join(ROOT, "packages", "cli", "src", "main.ts");

/**
 * Makes all daemons started after this call run from the bundle, as a user's daemon does; it starts in half the time. The
 * bundle is copied to `.cache`, so that the next build does not replace it; the copy is removed when this process ends.
 */
export function useBundle(): void {
  execFileSync(process.execPath, [...FLAGS, join(ROOT, "scripts", "build", "bundle.ts")]);
  mkdirSync(join(ROOT, ".cache"), { recursive: true });
  const copy = mkdtempSync(join(ROOT, ".cache", "bundle-"));
  process.once("exit", () => rmSync(copy, { recursive: true, force: true }));
  cpSync(join(ROOT, "dist"), copy, { recursive: true, verbatimSymlinks: true });
  // Node resolves the link to the build, so the own agent's command has the path without the link.
  program = realpathSync(join(copy, "gantry", "main.js"));
}

/** The path of the command line. Daemons run it, and its own agent is a part of it. */
export function gantryProgram(): string {
  return program;
}

/** No model writes titles unless a test asks for it: tests count the requests of the agents. */
export const WITHOUT_TITLES = { GANTRY_TEXT_HELPER: "off" };

/**
 * Starts `gantry serve --json` with this environment, without requests for titles unless it sets their variable. `flags` are
 * for Node. The daemon releases its agents when it stops.
 */
export async function startDaemonProcess(
  env: Record<string, string>,
  flags: readonly string[] = [],
): Promise<DaemonProcess> {
  const args = [...FLAGS, ...flags, program, "serve", "--json", "--on-stop", "release"];
  const child = spawn(process.execPath, args, {
    env: { ...WITHOUT_TITLES, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const ready = await firstLine(child);
  const { url, token, pid } = JSON.parse(ready) as { url: string; token: string; pid: number };
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
    requireNoTokenLeak(env.GANTRY_HOME ?? "");
  };
  return { url, token, pid, end };
}

function firstLine(child: ChildProcess): Promise<string> {
  let out = "";
  let errors = "";
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      child.kill("SIGKILL");
      reject(new Error(`the daemon ${why}: ${errors.trim() || out.trim() || "no output"}`));
    };
    const timer = setTimeout(() => fail(`was not ready within ${START_MS / 1000} s`), START_MS);
    child.stderr?.on("data", (chunk) => (errors = (errors + chunk).slice(-10_000)));
    child.stdout?.on("data", (chunk) => {
      out += chunk;
      if (!out.includes("\n")) return;
      clearTimeout(timer);
      resolve(out.slice(0, out.indexOf("\n")));
    });
    child.once("error", (error) => fail(`did not start (${error.message})`));
    child.once("exit", (code) => {
      clearTimeout(timer);
      fail(`ended at once with ${code}`);
    });
  });
}
