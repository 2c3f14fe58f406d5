import { readdir, readlink } from "node:fs/promises";
import { sep } from "node:path";

/**
 * Ends every process that works in `folder` or below it: what a program started outside of its own process group, and
 * so outlives that. Only where the system shows the folders of processes (Linux); elsewhere nothing. Never throws.
 */
export async function endStrays(folder: string): Promise<void> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  await Promise.all(pids.map((pid) => endIfIn(folder, pid)));
}

async function endIfIn(folder: string, pid: string): Promise<void> {
  try {
    const cwd = await readlink(`/proc/${pid}/cwd`);
    if (cwd === folder || cwd.startsWith(folder + sep)) process.kill(Number(pid), "SIGKILL");
  } catch {
    // It is another user's, or has just ended.
  }
}
