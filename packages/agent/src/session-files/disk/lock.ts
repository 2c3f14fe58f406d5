import { createHash, randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";

export type Lock = { release(): void };

type Owner = { pid: number; born?: string; host: string; nonce: string };

/**
 * Says that this process writes `file`. A lock whose process is dead is taken over: by a further lock that is named after
 * it, so that of several who find it dead only one gets it. The last of such a chain is the one that counts.
 */
export function takeLock(file: string): Lock | { heldBy: string } {
  const base = `${file}.lock`;
  const mine: Owner = {
    pid: process.pid,
    born: born(process.pid),
    host: hostname(),
    nonce: randomBytes(8).toString("hex"),
  };
  for (let attempt = 0; attempt < 20; attempt++) {
    const chain = chainOf(base);
    const last = chain.at(-1);
    if (last && alive(last.owner)) return { heldBy: `process ${last.owner.pid} on ${last.owner.host}` };
    const path = last ? next(base, last.owner) : base;
    if (!create(path, mine)) continue;
    // Whoever was slow may have gone on from a chain that is no longer there.
    if (chainOf(base).at(-1)?.owner.nonce === mine.nonce) return { release: () => release(base, mine) };
    rmSync(path, { force: true });
  }
  return { heldBy: "others, who come and go" };
}

function release(base: string, mine: Owner): void {
  const chain = chainOf(base);
  if (chain.at(-1)?.owner.nonce !== mine.nonce) return;
  // From the beginning: what hangs on a lock that is gone counts for nobody.
  for (const { path } of chain) rmSync(path, { force: true });
}

function chainOf(base: string): { path: string; owner: Owner }[] {
  const chain: { path: string; owner: Owner }[] = [];
  for (let path = base; ; ) {
    const owner = read(path);
    if (!owner) return chain;
    chain.push({ path, owner });
    path = next(base, owner);
  }
}

function next(base: string, owner: Owner): string {
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
  // Not one of ours, and nobody stands behind it.
  return { pid: 0, nonce: createHash("sha256").update(path).digest("hex").slice(0, 16), host: hostname() };
}

function alive(owner: Owner): boolean {
  if (owner.host !== hostname()) return true;
  if (owner.pid <= 0) return false;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  const now = born(owner.pid);
  return owner.born === undefined || now === undefined || owner.born === now;
}

/** A number is given to another process some day; the time of its start tells them apart where the system says it. */
function born(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // A zombie has ended; only nobody has asked for its status yet.
    return fields[0] === "Z" ? "zombie" : fields[19];
  } catch {
    return undefined;
  }
}
