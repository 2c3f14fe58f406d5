import { readdir, readlink } from "node:fs/promises";
import { sep } from "node:path";

/**
 * Kills every process whose working folder is `folder` or below it: descendants that left the process group. Linux
 * only, a no-op elsewhere. Never rejects.
 */
export async function killOrphansIn(folder: string): Promise<void> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  await Promise.all(pids.map((pid) => killIfIn(folder, pid)));
}

async function killIfIn(folder: string, pid: string): Promise<void> {
  try {
    const cwd = await readlink(`/proc/${pid}/cwd`);
    if (cwd === folder || cwd.startsWith(folder + sep)) process.kill(Number(pid), "SIGKILL");
  } catch {
    // The process belongs to another user or has ended.
  }
}
