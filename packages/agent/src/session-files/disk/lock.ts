import { createHash, randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";

export type Lock = { release(): void };

type Owner = { pid: number; born?: string; host: string; nonce: string };

/**
 * Claims `file` for writing by this process. The lock of a dead process is taken over by a further lock file named after
 * it, so that only one of several contenders gets it. The last lock of the chain is the valid one.
 */
export function takeLock(file: string): Lock | { heldBy: string } {
  const base = `${file}.lock`;
  const mine: Owner = {
    pid: process.pid,
    born: readStartTime(process.pid),
    host: hostname(),
    nonce: randomBytes(8).toString("hex"),
  };
  for (let attempt = 0; attempt < 20; attempt++) {
    const chain = chainOf(base);
    const last = chain.at(-1);
    if (last && isAlive(last.owner)) return { heldBy: `process ${last.owner.pid} on ${last.owner.host}` };
    const path = last ? nextLockPath(base, last.owner) : base;
    if (!create(path, mine)) continue;
    // A slow contender may have extended a chain that no longer exists.
    if (chainOf(base).at(-1)?.owner.nonce === mine.nonce) return { release: () => release(base, mine) };
    rmSync(path, { force: true });
  }
  return { heldBy: "other processes" };
}

function release(base: string, mine: Owner): void {
  const chain = chainOf(base);
  if (chain.at(-1)?.owner.nonce !== mine.nonce) return;
  // Removes from the start of the chain: the rest of a chain without its start is ignored.
  for (const { path } of chain) rmSync(path, { force: true });
}

function chainOf(base: string): { path: string; owner: Owner }[] {
  const chain: { path: string; owner: Owner }[] = [];
  for (let path = base; ; ) {
    const owner = read(path);
    if (!owner) return chain;
    chain.push({ path, owner });
    path = nextLockPath(base, owner);
  }
}

function nextLockPath(base: string, owner: Owner): string {
  return `${base}.${owner.nonce}`;
}

function create(path: string, owner: Owner): boolean {
  const draft = `${path}.${owner.nonce}.draft`;
  try {
    writeFileSync(draft, JSON.stringify(owner), { mode: 0o600 });
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function read(path: string): Owner | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
  try {
    const owner = JSON.parse(text) as Partial<Owner>;
    if (typeof owner.pid === "number" && typeof owner.nonce === "string" && /^[0-9a-f]{1,32}$/.test(owner.nonce)) {
      return { pid: owner.pid, nonce: owner.nonce, host: String(owner.host), born: owner.born };
    }
  } catch {}
  // Not a valid lock file: it has no owner, so it can be taken over.
  return { pid: 0, nonce: createHash("sha256").update(path).digest("hex").slice(0, 16), host: hostname() };
}

function isAlive(owner: Owner): boolean {
  if (owner.host !== hostname()) return true;
  if (owner.pid <= 0) return false;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  const now = readStartTime(owner.pid);
  return owner.born === undefined || now === undefined || owner.born === now;
}

/** Process ids are reused. The start time distinguishes processes, on systems that report it. */
function readStartTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // A zombie has ended; its parent has not reaped it yet.
    return fields[0] === "Z" ? "zombie" : fields[19];
  } catch {
    return undefined;
  }
}
