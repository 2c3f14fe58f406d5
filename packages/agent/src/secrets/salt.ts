import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const LENGTH = 32;

/** The random bytes of an agent's folder from which the names of secrets derive. Created once, readable only by the owner. */
export function readSalt(agentDir: string): { salt: Buffer; problem?: string } {
  const file = join(agentDir, "secrets.salt");
  try {
    const known = read(file);
    if (known?.length === LENGTH) return { salt: known };
    if (known) rmSync(file);
    mkdirSync(agentDir, { recursive: true, mode: 0o700 });
    make(file);
    const made = read(file);
    if (made?.length === LENGTH) return { salt: made };
    throw new Error("it does not stay");
  } catch (error) {
    const problem = `cannot be stored (${(error as Error).message}): names of secrets are valid for this run only`;
    return { salt: randomBytes(LENGTH), problem };
  }
}

/** Safe when two processes start at once: one creates the file atomically and both read it. */
function make(file: string): void {
  const draft = `${file}.${randomBytes(4).toString("hex")}`;
  writeFileSync(draft, randomBytes(LENGTH), { mode: 0o600, flag: "wx" });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function read(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
