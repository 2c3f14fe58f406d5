import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";

const PAGE_CREDENTIAL = /gpc_[A-Za-z0-9_-]{43}/;
/** Larger files are test data, such as sparse recordings. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * The places below a daemon's home folder that contain its owner token, in plain text, Base64 or hexadecimal, or any
 * credential of a page: events, recordings, logs, blobs, settings. The file `token` itself does not count. Empty for a home
 * without a token.
 */
export function findTokenLeaks(home: string): string[] {
  const token = readText(join(home, "token")).trim();
  if (token === "") return [];
  const spellings = spellingsOf(token);
  const contains = (bytes: Buffer) =>
    spellings.some((text) => bytes.includes(text)) ||
    (bytes.includes("gpc_") && PAGE_CREDENTIAL.test(bytes.toString("latin1")));
  const files = [...walk(home)].filter((path) => path !== join(home, "token"));
  return [
    ...files.filter((path) => contains(readBytes(path))).map((path) => relative(home, path)),
    // A value may be split over two pages of the file.
    ...findRows(join(home, "gantry.db"), contains),
  ];
}

/** Throws if the token of a home folder is stored anywhere. */
export function requireNoTokenLeak(home: string): void {
  const leaks = findTokenLeaks(home);
  if (leaks.length > 0)
    throw new Error(`The owner token or a page credential is stored in ${leaks.join(", ")} of ${home}.`);
}

function* walk(folder: string): Generator<string> {
  for (const entry of list(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(path);
    else if (entry.isFile()) yield path;
  }
}

function list(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function readBytes(path: string): Buffer {
  // Reading a locked database file and closing it would release the locks of this process.
  if (/\.db(-\w+)?$/.test(path)) return Buffer.alloc(0);
  try {
    if (statSync(path).size > MAX_BYTES) return Buffer.alloc(0);
    const bytes = readFileSync(path);
    return path.endsWith(".gz") ? gunzipSync(bytes) : bytes;
  } catch {
    // It was removed or is being written.
    return Buffer.alloc(0);
  }
}

function findRows(path: string, contains: (bytes: Buffer) => boolean): string[] {
  if (!statSync(path, { throwIfNoEntry: false })?.size) return [];
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'");
    return tables.all().flatMap(({ name }) => {
      const rows = db.prepare(`SELECT * FROM "${name}"`).iterate();
      for (const row of rows) if (contains(Buffer.from(JSON.stringify(Object.values(row))))) return [`table ${name}`];
      return [];
    });
  } finally {
    db.close();
  }
}

/** Written independently of the daemon's own redaction, which this checks. */
function spellingsOf(token: string): string[] {
  const shifted = ["", "x", "xx"].map((lead) => Buffer.from(lead + token).toString("base64"));
  const sure = shifted.map((text) => text.slice(4, 4 * Math.floor(token.length / 3) - 4));
  const urlSafe = sure.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  return [token, Buffer.from(token).toString("hex"), ...sure, ...urlSafe];
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
