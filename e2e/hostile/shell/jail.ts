import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JailedAgentOptions } from "./jailed-agent.ts";

/** A line that the process in the jail prints. */
export type ProbeResult = { at: number; effect: string } | { done: number };

const JAIL = "bwrap";
const LONGEST_RUN_MS = 900_000;

/** Why there is no jail on this machine; undefined if there is one. */
export function whyNoJail(): string | undefined {
  if (process.platform !== "linux") return "The jail needs Linux.";
  const { error, status, stderr } = spawnSync(
    JAIL,
    ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-net", "--unshare-pid", "true"],
    { encoding: "utf8" },
  );
  if (error) return "bubblewrap (bwrap) is not installed.";
  return status === 0 ? undefined : `bubblewrap does not work here: ${stderr.trim()}`;
}

/**
 * Runs these commands in plan mode with one agent process in a jail: a read-only disk, no network but loopback, separate processes, and
 * a throw-away home. Returns the effect of each command that had one. Rejects if the process ended early.
 */
export async function runInJail(
  commands: readonly string[],
  options: Pick<JailedAgentOptions, "sandbox" | "mode">,
): Promise<Map<number, string>> {
  // Not below /tmp, which the agent's own sandbox replaces.
  const root = realpathSync(mkdtempSync("/var/tmp/gantry-hostile-shell-"));
  try {
    const request = join(root, "request.json");
    writeFileSync(request, JSON.stringify({ ...options, root, commands }));
    const mounts = [
      "--ro-bind",
      "/",
      "/",
      "--dev",
      "/dev",
      "--proc",
      "/proc",
      "--tmpfs",
      "/tmp",
      "--tmpfs",
      "/run",
      "--bind",
      root,
      root,
    ];
    const isolation = ["--unshare-net", "--unshare-pid", "--unshare-ipc", "--die-with-parent", "--new-session"];
    const node = [
      process.execPath,
      "--disable-warning=ExperimentalWarning",
      join(import.meta.dirname, "jailed-run.ts"),
      request,
    ];
    const output = await run(JAIL, [...isolation, ...mounts, "--chdir", root, "--", ...node]);
    return readResults(output, commands.length);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function run(program: string, args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: LONGEST_RUN_MS, maxBuffer: 64 * 1024 * 1024 }, (_error, stdout, stderr) =>
      resolve({ stdout, stderr }),
    );
  });
}

function readResults({ stdout, stderr }: { stdout: string; stderr: string }, count: number): Map<number, string> {
  const effects = new Map<number, string>();
  let done = 0;
  for (const line of stdout.split("\n").filter((each) => each.startsWith("{"))) {
    const result = JSON.parse(line) as ProbeResult;
    if ("done" in result) done = result.done;
    else effects.set(result.at, [effects.get(result.at), result.effect].filter(Boolean).join("; "));
  }
  if (done !== count)
    throw new Error(`The process in the jail ended early. ${stderr.slice(-2000)} ${stdout.slice(-500)}`);
  return effects;
}
