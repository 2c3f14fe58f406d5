import type { Database } from "./database.ts";

/** Stored JSON, in characters, after which the write-ahead log is worth a checkpoint: about 8 MB of pages. */
const WORTHWHILE = 4_000_000;
const QUIET_MS = 1000;

/**
 * Moves the write-ahead log into the database while no events are being stored. A checkpoint copies megabytes and waits
 * for the disk twice, which would delay every session if a commit did it. Under constant load SQLite does it in a commit
 * all the same, when the log has `wal_autocheckpoint` pages. Then frees the memory of SQLite's page cache.
 */
export class IdleCheckpoint {
  readonly #db: Database;
  #written = 0;
  #busy = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Events with this many characters of JSON were committed. */
  recordCommit(characters: number): void {
    this.#written += characters;
    this.#busy = true;
    if (this.#written >= WORTHWHILE) this.#timer ??= this.#wait();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wait(): NodeJS.Timeout {
    this.#busy = false;
    return setTimeout(() => this.#look(), QUIET_MS).unref();
  }

  #look(): void {
    this.#timer = this.#busy ? this.#wait() : undefined;
    if (this.#timer) return;
    this.#written = 0;
    try {
      this.#db.exec("PRAGMA wal_checkpoint(PASSIVE); PRAGMA shrink_memory");
    } catch {
      // A full disk: the next commit reports it.
    }
  }
}
