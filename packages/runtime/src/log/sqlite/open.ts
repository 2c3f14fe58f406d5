import { DatabaseSync } from "node:sqlite";
import { createPrivate } from "../../home.ts";
import { isStorageFull, StorageFullError, StoreUnusableError } from "../errors.ts";
import type { Store } from "../port.ts";
import { Committer } from "./commit.ts";
import { Database } from "./database.ts";
import { Events } from "./events.ts";
import { rebuild } from "./folds.ts";
import { SqliteJournal, SqliteMeta, SqliteSpools } from "./journal.ts";
import { SqliteProcesses } from "./processes.ts";
import { SqliteRecords } from "./records.ts";
import { createDatabase, isMissing } from "./schema/create.ts";
import { type Migration, migrate, migrations, versionOf } from "./schema/migrations.ts";
import { search } from "./search/search.ts";
import { SearchIndex } from "./search/search-index.ts";
import { SqliteSessions } from "./sessions.ts";
import { book, usage } from "./usage.ts";
import { WalCheckpoint } from "./wal-checkpoint.ts";

export type OpenOptions = {
  /** The database may not grow beyond this many pages of 4 KB; then commits fail as on a full disk. */
  maxPages?: number;
  steps?: readonly Migration[];
};

const SETTINGS = `
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
PRAGMA foreign_keys = ON;
PRAGMA wal_autocheckpoint = 64000;
PRAGMA journal_size_limit = 67108864;
PRAGMA temp_store = MEMORY;
`;

/**
 * Opens the store in the file `path`, making it if it is not there and bringing an older one up to date. Throws
 * StoreUnusableError, with the file unchanged, when it is damaged, newer than this program or not a database.
 */
export function openStore(path: string, { maxPages, steps = migrations }: OpenOptions = {}): Store {
  const db = new Database(path, connect(path, steps));
  try {
    refuseNewer(db, steps);
    db.exec(SETTINGS);
    if (maxPages !== undefined) db.exec(`PRAGMA max_page_count = ${maxPages}`);
    migrate(db, steps);
  } catch (error) {
    db.close();
    throw explain(path, error);
  }
  return assemble(db);
}

function assemble(db: Database): Store {
  const committer = new Committer(db);
  const index = new SearchIndex(db);
  const checkpoint = new WalCheckpoint(db);
  const events = new Events(db);
  const sessions = new SqliteSessions(db, (session) => committer.forget(session));
  return {
    commit: (batch) => {
      const stored = committer.commit(batch);
      if (batch.request) sessions.forgetEnv(batch.session);
      if (stored.length > 0) index.scheduleUpdate();
      checkpoint.recordCommit(stored.reduce((sum, { json }) => sum + json.length, 0));
      return stored;
    },
    readEvents: (session, after, limit) => events.read(session, after, limit),
    tailEvents: (session, n) => events.tail(session, n),
    readAll: (afterId, limit, only) => events.readAll(afterId, limit, only),
    turnEvents: (session) => events.ofTurns(session),
    lastSeq: (session) => committer.lastSeq(session),
    lastId: () => events.lastId(),
    findItem: (session, item) => events.ofItem(session, item),
    pendingInputs: () => events.pendingInputs(),
    findInput: (id) => events.findInput(id),
    grants: () => sessions.grants(),
    findMessage: (session, message) =>
      db.get<{ hash: string }>("SELECT hash FROM messages WHERE session = ? AND id = ?", session, message)?.hash,
    search: (q, limit, filter) => {
      index.catchUp();
      return search(db, q, limit, filter);
    },
    book: (expense) => book(db, expense),
    usage: (by, filter) => usage(db, by, filter),
    rebuild: (session) => {
      index.forget(session);
      rebuild(db, session);
    },
    refersTo: (blob) => db.get("SELECT 1 FROM blob_refs WHERE blob = ? LIMIT 1", blob) !== undefined,
    sessions,
    journal: new SqliteJournal(db),
    spools: new SqliteSpools(db),
    processes: new SqliteProcesses(db),
    meta: new SqliteMeta(db),
    records: (kind) => new SqliteRecords(db, kind),
    releaseMemory: () => db.exec("PRAGMA shrink_memory"),
    close: () => {
      index.stop();
      db.close();
      checkpoint.close();
    },
  };
}

function connect(path: string, steps: readonly Migration[]): DatabaseSync {
  try {
    if (steps === migrations && isMissing(path)) createDatabase(path);
    createPrivate(path);
    return new DatabaseSync(path, { timeout: 5000 });
  } catch (error) {
    throw explain(path, error);
  }
}

function refuseNewer(db: Database, steps: readonly Migration[]): void {
  const version = versionOf(db);
  if (version <= steps.length) return;
  throw new StoreUnusableError(
    `${db.path} has format ${version}; this Gantry knows formats up to ${steps.length}. Nothing was changed.`,
    "Start the newer Gantry that wrote it, or choose another home folder with GANTRY_HOME.",
  );
}

const NOT_A_DATABASE = 26;
const CORRUPT = 11;

function explain(path: string, error: unknown): unknown {
  const { errcode, message = "", syscall } = error as { errcode?: number; message?: string; syscall?: string };
  if (isStorageFull(error)) return new StorageFullError(path, message);
  const primary = errcode === undefined ? undefined : errcode & 0xff;
  if (primary === NOT_A_DATABASE || primary === CORRUPT) {
    return new StoreUnusableError(
      `${path} ${primary === CORRUPT ? "is damaged" : "is not a database"} (${message}). It was not modified, nor were spool and blobs.`,
      `Put a backup in its place, or move ${path} away with its -wal and -shm files and start again with an empty log.`,
    );
  }
  if (primary !== 14 && syscall === undefined) return error;
  return new StoreUnusableError(`${path} cannot be opened (${message}).`, "Check that the folder exists and is yours.");
}
