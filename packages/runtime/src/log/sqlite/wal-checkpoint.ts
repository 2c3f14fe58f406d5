import { closeSync, openSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type { Database } from "./database.ts";

/** Stored JSON, in characters, after which the write-ahead log is worth a checkpoint: about 14 MB of pages. */
const WORTHWHILE = 4_000_000;
/** After this much, the checkpoint no longer waits for a pause. */
const OVERDUE = 3 * WORTHWHILE;
/** A log of this many pages (65 MB) is started again from its beginning, also if commits follow each other without a pause. */
const RESTART_PAGES = 16_000;
const QUIET_MS = 1000;

/** What `PRAGMA wal_checkpoint` returns: pages in the log, and how many of them are in the database. */
type Progress = { log: number; checkpointed: number };

/**
 * A passive checkpoint waits for no other connection and blocks none. While commits follow each other it never reaches the
 * end of the log, and SQLite then leaves the database's pages in the system's cache. So the worker writes them to the disk
 * itself, and copies again what was committed meanwhile, which is less each time.
 */
const CHECKPOINT = `
const { fsyncSync } = require("node:fs");
const { DatabaseSync } = require("node:sqlite");
const { parentPort, workerData } = require("node:worker_threads");
const db = new DatabaseSync(workerData.path);
const checkpoint = db.prepare("PRAGMA wal_checkpoint(PASSIVE)");
let progress = { checkpointed: 0 };
for (let pass = 0; pass < 6; pass++) {
  const before = progress.checkpointed;
  progress = checkpoint.get();
  if (progress.checkpointed - before < 300) break;
  fsyncSync(workerData.file);
}
db.close();
parentPort.postMessage({ log: progress.log, checkpointed: progress.checkpointed });
`;

/**
 * Moves the write-ahead log into the database, in a worker that lives for one checkpoint: it copies megabytes and waits for
 * the disk, which would delay every session for a tenth of a second. Waits until no events are being stored, but not for
 * ever. A log starts again from its beginning only when a commit finds all of it copied, which a flood prevents. So a long
 * log is finished on this thread, right after the worker has copied nearly all of it.
 */
export class WalCheckpoint {
  readonly #db: Database;
  #written = 0;
  #busy = false;
  #closed = false;
  #timer: NodeJS.Timeout | undefined;
  #worker: Worker | undefined;
  /** Open until the connection is closed: closing a file of the database drops the locks that SQLite holds on it. */
  #file: number | undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Events with this many characters of JSON were committed. */
  recordCommit(characters: number): void {
    this.#written += characters;
    this.#busy = true;
    if (this.#written >= WORTHWHILE) this.#timer ??= this.#wait();
  }

  /** Call it after the connection was closed. A checkpoint that runs is abandoned; the next start copies the rest. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#worker) void this.#worker.terminate();
    else this.#closeFile();
  }

  #closeFile(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
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
    this.#file ??= openSync(this.#db.path, "r");
    this.#worker = new Worker(CHECKPOINT, { eval: true, workerData: { path: this.#db.path, file: this.#file } });
    this.#worker.unref();
    this.#worker.on("message", (progress: Progress) => this.#finish(progress));
    // A full disk: the next commit reports it.
    this.#worker.on("error", () => undefined);
    this.#worker.on("exit", () => {
      this.#worker = undefined;
      if (this.#closed) this.#closeFile();
    });
  }

  #finish({ log, checkpointed }: Progress): void {
    if (!this.#closed && log > RESTART_PAGES && checkpointed > 0) this.#db.exec("PRAGMA wal_checkpoint(PASSIVE)");
  }
}
