import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { errorText } from "../contract/errors.ts";
import { SessionError } from "../contract/session.ts";
import type { SessionHeader, SessionStore } from "../contract/session-store.ts";
import { Artifacts } from "./disk/artifacts.ts";
import { SessionFile } from "./disk/file.ts";
import { type Lock, takeLock } from "./disk/lock.ts";
import { migrate } from "./disk/migrate.ts";
import { freeId, type ReadSession, readSession } from "./disk/read.ts";
import { artifactFolder, blobFolder, type Place, sessionFileName, sessionFolder, uuidv7 } from "./paths.ts";
import { Store } from "./store.ts";

export type CreateOptions = Place & { cwd: string; inMemory?: boolean; parentSession?: string };

/** Creates a session. Its file is written at the model's first answer, or by `flush`. */
export function createSessionStore(options: CreateOptions): SessionStore {
  const timestamp = new Date().toISOString();
  const id = uuidv7();
  const header: SessionHeader = { type: "session", version: 3, id, timestamp, cwd: resolve(options.cwd) };
  if (options.parentSession) header.parentSession = options.parentSession;
  const blobs = blobFolder(options);
  if (options.inMemory) return new Store({ header, blobs, artifacts: new Artifacts(undefined) });
  const path = join(sessionFolder(options.cwd, options), sessionFileName(timestamp, id));
  return new Store({
    header,
    blobs,
    artifacts: new Artifacts(artifactFolder(path)),
    file: SessionFile.createNew(path, header),
  });
}

export type OpenOptions = Place & {
  /** If another process writes the session: throw a `SessionError` (default), open a fork, or open it read-only. */
  onHeld?: "refuse" | "fork" | "read";
  /** Throws a `SessionError` for a file that is not a session, instead of a new session in the same folder. */
  strict?: boolean;
  /** Opens the file read-only, without a lock. */
  readOnly?: boolean;
};

/**
 * Opens a session file, old versions included. Throws a `SessionError` if the file is missing or in use. A file that is
 * not a session stays unchanged: the result is a new session in the same folder with an entry in `problems`, unless
 * `strict` is set.
 */
export function openSessionStore(file: string, options: OpenOptions = {}): SessionStore {
  const path = resolve(file);
  if (options.readOnly) return openReadOnly(path, options, []);
  if (!existsSync(path)) throw new SessionError(`There is no session ${path}.`);
  const lock = lockOf(path);
  if ("unwritable" in lock)
    return openReadOnly(path, options, [`${lock.unwritable} ${path} is open for reading only.`]);
  if ("heldBy" in lock) {
    const problem = `${path} is in use by ${lock.heldBy}.`;
    if (options.onHeld === "read") return openReadOnly(path, options, [`${problem} It is open for reading only.`]);
    if (options.onHeld === "fork") return forkSession(path, options, [`${problem} This is a copy.`]);
    throw new SessionError(`${problem} Fork it, or open it for reading only.`);
  }
  try {
    return openForWriting(path, lock, options);
  } catch (error) {
    lock.release();
    throw error;
  }
}

export type ForkOptions = Place & { cwd?: string };

/** Copies a whole session into a new file, even while another process writes the original. */
export function forkSession(file: string, options: ForkOptions = {}, problems: string[] = []): SessionStore {
  const path = resolve(file);
  const source = openReadOnly(path, options, []);
  if (source.file !== path) throw new SessionError(`${path} is not a session.`);
  const cwd = resolve(options.cwd ?? (source.header.cwd || process.cwd()));
  const timestamp = new Date().toISOString();
  const header: SessionHeader = { ...source.header, id: uuidv7(), timestamp, cwd, parentSession: path };
  const copy = join(sessionFolder(cwd, options), sessionFileName(timestamp, header.id));
  mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
  const leaf = {
    type: "leaf",
    id: freeId(new Map(source.entries().map(({ id }) => [id, id]))),
    parentId: source.leafId,
    timestamp,
    targetId: source.leafId,
  };
  const lines = [header, ...source.entries(), leaf].map((line) => `${JSON.stringify(line)}\n`);
  writeFileSync(copy, lines.join(""), { mode: 0o600, flag: "wx" });
  if (existsSync(artifactFolder(path))) cpSync(artifactFolder(path), artifactFolder(copy), { recursive: true });
  const store = openSessionStore(copy, options) as Store;
  store.problems.unshift(...problems, ...source.problems);
  return store;
}

/** If the file is not writable, a lock file cannot be created either. */
function lockOf(path: string): ReturnType<typeof takeLock> | { unwritable: string } {
  try {
    accessSync(path, constants.W_OK);
    return takeLock(path);
  } catch (error) {
    return { unwritable: `${errorText(error)}.` };
  }
}

function openForWriting(path: string, lock: Lock, options: OpenOptions): SessionStore {
  const bytes = load(path);
  const migrated = migrateFile(path, bytes);
  const read = readSession(migrated ?? bytes);
  if (!read.header) {
    lock.release();
    return createReplacement(path, options);
  }
  if (read.header.version > 3) {
    lock.release();
    return openReadOnly(path, options, [`${path} has version ${read.header.version}: it is open for reading only.`]);
  }
  if (migrated) read.problems.unshift(`${path} had an older version and was migrated; the old file is next to it.`);
  return assemble(read, SessionFile.openForWriting(path, lock, read), options);
}

function openReadOnly(path: string, options: OpenOptions, problems: string[]): SessionStore {
  const bytes = load(path);
  const read = readSession(bytes);
  if (!read.header) return createReplacement(path, options);
  const old = read.header.version < 3 ? migrate(bytes.toString("utf8")) : undefined;
  const current = old === undefined ? read : readSession(Buffer.from(old));
  current.problems.unshift(...problems);
  return assemble(current, SessionFile.openReadOnly(path), options);
}

function assemble(read: ReadSession, file: SessionFile, options: OpenOptions): SessionStore {
  const { nodes, leafId, problems } = read;
  const header: SessionHeader = { ...read.header!, version: 3 };
  const artifacts = new Artifacts(artifactFolder(file.path));
  return new Store({ header, file, artifacts, nodes, leafId, problems, blobs: blobFolder(options) });
}

function createReplacement(path: string, options: OpenOptions): SessionStore {
  if (options.strict) throw new SessionError(`${path} is not a session. It was not changed.`);
  const store = createSessionStore({ ...options, cwd: process.cwd(), dir: dirname(path) }) as Store;
  store.problems.push(`${path} is not a session. It was not changed; this is a new session.`);
  return store;
}

/** Atomic: the old file is linked as a backup before the new one replaces it. */
function migrateFile(path: string, bytes: Buffer): Buffer | undefined {
  const text = migrate(bytes.toString("utf8"));
  if (text === undefined) return undefined;
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}.draft`);
  writeFileSync(draft, text, { mode: 0o600, flush: true });
  try {
    linkSync(path, `${path}.bak`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    linkSync(path, `${path}.${Date.now()}.bak`);
  }
  renameSync(draft, path);
  return Buffer.from(text);
}

function load(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new SessionError(`${path} cannot be read: ${errorText(error)}`);
  }
}
