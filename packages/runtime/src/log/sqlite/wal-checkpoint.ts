import { Worker } from "node:worker_threads";
import type { Database } from "./database.ts";

/** Stored JSON, in characters, after which the write-ahead log is worth a checkpoint: about 14 MB of pages. */
const WORTHWHILE = 4_000_000;
/** After this much, the checkpoint no longer waits for a pause. */
const OVERDUE = 6 * WORTHWHILE;
const QUIET_MS = 1000;

/** A passive checkpoint waits for no other connection and blocks none. */
const CHECKPOINT = `
const { DatabaseSync } = require("node:sqlite");
const db = new DatabaseSync(require("node:worker_threads").workerData);
db.exec("PRAGMA wal_checkpoint(PASSIVE)");
db.close();
`;

/**
 * Moves the write-ahead log into the database, in a worker that lives for one checkpoint: it copies megabytes and waits for
 * the disk twice, which would delay every session for a tenth of a second. Waits until no events are being stored, but not
 * for ever. SQLite itself does it in a commit if the log reaches `wal_autocheckpoint` pages, which only a long flood does: a
 * log starts again from its beginning only when a commit finds all of it copied.
 */
export class WalCheckpoint {
  readonly #db: Database;
  #written = 0;
  #busy = false;
  #timer: NodeJS.Timeout | undefined;
  #worker: Worker | undefined;

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
    void this.#worker?.terminate();
  }

  #wait(): NodeJS.Timeout {
    this.#busy = false;
    return setTimeout(() => this.#look(), QUIET_MS).unref();
  }

  #look(): void {
    const isDue = !this.#busy || this.#written >= OVERDUE;
    this.#timer = isDue ? undefined : this.#wait();
    if (isDue && !this.#worker) this.#run();
  }

  #run(): void {
    this.#written = 0;
    this.#worker = new Worker(CHECKPOINT, { eval: true, workerData: this.#db.path });
    this.#worker.unref();
    // A full disk: the next commit reports it.
    this.#worker.on("error", () => undefined);
    this.#worker.on("exit", () => {
      this.#worker = undefined;
    });
  }
}
