import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { BlobRef, Draft } from "@gantry/protocol";
import { isStorageFull, StorageFullError } from "./errors.ts";

/** Longer texts are spilled to a blob. */
const SPILL_BYTES = 32 * 1024;
const EDGE_BYTES = 2 * 1024;
/** Fields of tool and raw events in which the protocol allows a reference in place of a text. */
const OPEN_FIELDS = new Set(["input", "output", "structured", "progress", "frame"]);
const NAME = /^[0-9a-f]{64}$/;

/**
 * Large texts, each in a file named by its SHA-256: `<home>/blobs/ab/<sha256>`, readable by the owner alone. The same
 * text is stored once. The caller commits a spilled event in the same turn of the event loop. A blob without an event is
 * therefore an orphan and may be swept.
 */
export class Blobs {
  readonly #root: string;

  constructor(home: string) {
    this.#root = join(home, "blobs");
  }

  /** Throws StorageFullError when there is no room. */
  put(text: string): BlobRef {
    const bytes = Buffer.from(text);
    const blob = createHash("sha256").update(bytes).digest("hex");
    const path = this.#path(blob);
    if (!existsSync(path)) this.#write(path, bytes);
    return { blob, size: bytes.length, lines: countLines(bytes), head: headOf(bytes), tail: tailOf(bytes) };
  }

  /** The text, or `undefined` if the blob does not exist. */
  read(blob: string): string | undefined {
    if (!NAME.test(blob)) return undefined;
    try {
      return readFileSync(this.#path(blob), "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  }

  /**
   * The draft with the large texts of a tool or raw event replaced by references to their blobs, wherever the protocol
   * allows any value or a `Text`. Other events are returned unchanged.
   */
  spill<Event extends Draft>(event: Event): Event {
    if (event.type !== "raw" && !event.type.startsWith("tool.")) return event;
    if (!hasLarge(event.data) && !hasLarge(event.ext)) return event;
    const data = this.#spillFields(event.data);
    const ext = this.#spillValue(event.ext);
    return data === event.data && ext === event.ext ? event : ({ ...event, data, ext } as Event);
  }

  remove(blobs: Iterable<string>): void {
    for (const blob of blobs) if (NAME.test(blob)) rmSync(this.#path(blob), { force: true });
  }

  /** Removes orphans, which a crash before a commit leaves behind. Returns the number of bytes freed. */
  sweep(isReferred: (blob: string) => boolean): number {
    let freed = 0;
    for (const folder of list(this.#root)) {
      for (const name of list(join(this.#root, folder))) {
        if (NAME.test(name) && isReferred(name)) continue;
        const path = join(this.#root, folder, name);
        freed += statSync(path, { throwIfNoEntry: false })?.size ?? 0;
        rmSync(path, { force: true });
      }
    }
    return freed;
  }

  #path(blob: string): string {
    return join(this.#root, blob.slice(0, 2), blob);
  }

  #write(path: string, bytes: Buffer): void {
    const unfinished = `${path}.${randomBytes(6).toString("hex")}.tmp`;
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      writeFileSync(unfinished, bytes, { mode: 0o600 });
      renameSync(unfinished, path);
    } catch (error) {
      rmSync(unfinished, { force: true });
      throw isStorageFull(error) ? new StorageFullError(path, (error as Error).message) : error;
    }
  }

  #spillValue(value: unknown): unknown {
    if (typeof value === "string") return isLarge(value) ? this.put(value) : value;
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return mapEntries(value, (entry) => this.#spillValue(entry));
    return withEntries(value, (_, entry) => this.#spillValue(entry));
  }

  #spillFields(data: object): unknown {
    return withEntries(data, (key, value) => {
      if (key === "patch") return this.#spillFields(value as object);
      return OPEN_FIELDS.has(key) ? this.#spillValue(value) : value;
    });
  }
}

/** The object with changed values, or the same one when none changed. */
function withEntries(value: object, change: (key: string, value: unknown) => unknown): object {
  const entries = Object.entries(value);
  const changed = mapEntries(entries, (entry) => {
    const replaced = change(entry[0], entry[1]);
    return replaced === entry[1] ? entry : ([entry[0], replaced] as [string, unknown]);
  });
  return changed === entries ? value : Object.fromEntries(changed);
}

/** Like `map`, but the same array when nothing changed. */
function mapEntries<Entry>(entries: Entry[], change: (entry: Entry) => Entry): Entry[] {
  const changed = entries.map(change);
  return changed.some((entry, index) => entry !== entries[index]) ? changed : entries;
}

/** Is any text inside the value large? Most events have none and need no copy. */
function hasLarge(value: unknown): boolean {
  if (typeof value === "string") return isLarge(value);
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(hasLarge);
  for (const key in value) if (hasLarge((value as Record<string, unknown>)[key])) return true;
  return false;
}

function isLarge(text: string): boolean {
  // A UTF-16 unit is at most three bytes, so most texts need no counting.
  if (text.length * 3 <= SPILL_BYTES) return false;
  return text.length > SPILL_BYTES || Buffer.byteLength(text) > SPILL_BYTES;
}

const NEWLINE = 10;

/** A last line without a newline counts too. */
function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return bytes.at(-1) === NEWLINE ? count : count + 1;
}

/** Cut before the byte that begins a character, never inside one. */
function headOf(bytes: Buffer): string {
  let end = Math.min(EDGE_BYTES, bytes.length);
  while (end < bytes.length && isContinuation(bytes[end]!)) end--;
  return bytes.toString("utf8", 0, end);
}

function tailOf(bytes: Buffer): string {
  let start = Math.max(0, bytes.length - EDGE_BYTES);
  while (isContinuation(bytes[start]!)) start++;
  return bytes.toString("utf8", start);
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
