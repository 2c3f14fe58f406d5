import { rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isStorageFull } from "./errors.ts";

export type DiskWatchDeps = {
  /** A folder on the disk that the log and the agents write to. */
  folder: string;
  /** Whether an agent is working. Without one, only failed commits are noticed. */
  isNeeded: () => boolean;
  /** Called when the disk is full, and again while it stays full. */
  onFull: (since: string) => void;
  /** Called once when there is room again. */
  onFreed: (since: string) => void;
  now: () => string;
  log: (line: string) => void;
};

const CHECK_MS = 500;
const REMIND_CHECKS = 4;
/** With less than this, a test write decides. */
const LOW_BYTES = 1024 * 1024;
const TEST_BYTES = 64 * 1024;

/**
 * Notices when the disk is full and when it has room again. Agents write their output to the disk themselves, so a full
 * disk loses output of which the daemon sees nothing. Quotas count too: the test is a write.
 */
export class DiskWatch {
  readonly #deps: DiskWatchDeps;
  #since: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isChecking = false;
  #checks = 0;

  constructor(deps: DiskWatchDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.#check(), CHECK_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** A write failed because the disk is full. */
  reportFull(): void {
    if (this.#since !== undefined) return;
    this.#since = this.#deps.now();
    this.#deps.log("the disk is full");
    this.#deps.onFull(this.#since);
  }

  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    try {
      await (this.#since === undefined ? this.#lookForFull() : this.#lookForRoom(this.#since));
    } catch (error) {
      this.#deps.log(`disk check: ${(error as Error).message}`);
    } finally {
      this.#isChecking = false;
    }
  }

  async #lookForFull(): Promise<void> {
    if (!this.#deps.isNeeded()) return;
    const { bfree, bavail, bsize } = await statfs(this.#deps.folder);
    const free = (process.getuid?.() === 0 ? bfree : bavail) * bsize;
    if (free < LOW_BYTES && !(await this.#canWrite())) this.reportFull();
  }

  async #lookForRoom(since: string): Promise<void> {
    if (!(await this.#canWrite())) return this.#remind(since);
    this.#since = undefined;
    this.#deps.log("the disk has room again");
    this.#deps.onFreed(since);
  }

  /** Clients that connect while the disk is full learn it soon, and the others are not flooded. */
  #remind(since: string): void {
    if (++this.#checks % REMIND_CHECKS === 0) this.#deps.onFull(since);
  }

  async #canWrite(): Promise<boolean> {
    const path = join(this.#deps.folder, ".space-test");
    try {
      await writeFile(path, Buffer.alloc(TEST_BYTES), { mode: 0o600 });
      return true;
    } catch (error) {
      if (isStorageFull(error)) return false;
      throw error;
    } finally {
      await rm(path, { force: true });
    }
  }
}
