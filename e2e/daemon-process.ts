import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";

const CLI = join(import.meta.dirname, "..", "packages", "cli", "src", "main.ts");
const START_MS = 90_000;

export type DaemonProcess = {
  url: string;
  token: string;
  pid: number;
  /** Ends it with the signal and resolves when it is gone. */
  end(signal: NodeJS.Signals): Promise<void>;
};

/** `gantry serve --json` as a process of its own with nothing but this environment. Agents are released at its end. */
export async function startDaemonProcess(env: Record<string, string>): Promise<DaemonProcess> {
  const args = ["--disable-warning=ExperimentalWarning", CLI, "serve", "--json", "--on-stop", "release"];
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const ready = await firstLine(child);
  const { url, token, pid } = JSON.parse(ready) as { url: string; token: string; pid: number };
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
  };
  return { url, token, pid, end };
}

function firstLine(child: ChildProcess): Promise<string> {
  let out = "";
  let errors = "";
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      child.kill("SIGKILL");
      reject(new Error(`the daemon ${why}: ${errors.trim() || out.trim() || "it said nothing"}`));
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
