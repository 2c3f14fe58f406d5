import { closeSync, fdatasyncSync, fstatSync, fsyncSync, ftruncateSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { errorText } from "../../contract/errors.ts";
import { SessionError } from "../../contract/session.ts";
import type { SessionHeader } from "../../contract/session-store.ts";
import { type Lock, takeLock } from "./lock.ts";

/** Lists search this many bytes at the end of a file for its title. */
export const TITLE_REACH = 65_536;

/** The append-only file of a session, one write per line. Created only when there is content worth storing. */
export class SessionFile {
  readonly path: string;
  readonly readOnly: boolean;
  private fd: number | undefined;
  private lock: Lock | undefined;
  private waiting: string;
  private worth = false;
  /** Whether written lines are not synced to disk yet. */
  private unsynced = false;
  private size = 0;
  private titleAt: number | undefined;

  private constructor(path: string, readOnly: boolean, waiting: string) {
    this.path = path;
    this.readOnly = readOnly;
    this.waiting = waiting;
  }

  static createNew(path: string, header: SessionHeader): SessionFile {
    return new SessionFile(path, false, `${JSON.stringify(header)}\n`);
  }

  static openReadOnly(path: string): SessionFile {
    return new SessionFile(path, true, "");
  }

  /** `end`: the length of the valid part; `open`: the last line lacks its line feed. The caller holds the lock. */
  static openForWriting(
    path: string,
    lock: Lock,
    whole: { end: number; open: boolean; titleAt?: number },
  ): SessionFile {
    const file = new SessionFile(path, false, "");
    file.lock = lock;
    file.fd = openSync(path, "a", 0o600);
    if (fstatSync(file.fd).size > whole.end) ftruncateSync(file.fd, whole.end);
    file.size = whole.end;
    file.titleAt = whole.titleAt;
    if (whole.open) file.put("\n");
    return file;
  }

  get made(): boolean {
    return this.fd !== undefined;
  }

  write(record: { type: string }, worth: "now" | "at the end" | "no"): void {
    const line = `${JSON.stringify(record)}\n`;
    if (this.fd !== undefined) this.put(line);
    else if (worth === "now") this.make(line);
    else this.waiting += line;
    if (worth !== "no") this.worth = true;
    if (record.type === "session_info") this.titleAt = this.size;
  }

  /** Syncs the file to disk. On a file system without sync support, the lines are written but not synced. */
  flush(): void {
    if (this.fd === undefined && this.worth) this.make("");
    if (this.fd === undefined || !this.unsynced) return;
    try {
      fdatasyncSync(this.fd);
      this.unsynced = false;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EIO") throw new SessionError(`${this.path}: ${errorText(error)}`);
    }
  }

  /** Lists search for the title only at the start and the end of a file. */
  get titleOutOfReach(): boolean {
    return this.fd !== undefined && this.titleAt !== undefined && this.size - this.titleAt > TITLE_REACH / 2;
  }

  close(): void {
    if (this.fd !== undefined) closeSync(this.fd);
    this.fd = undefined;
    this.lock?.release();
    this.lock = undefined;
  }

  private make(line: string): void {
    try {
      mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
      const lock = takeLock(this.path);
      if ("heldBy" in lock) throw new SessionError(`${this.path} is in use by ${lock.heldBy}.`);
      this.lock = lock;
      this.fd = openSync(this.path, "ax", 0o600);
      this.put(this.waiting + line);
      this.waiting = "";
      syncFolder(dirname(this.path));
    } catch (error) {
      this.close();
      throw error instanceof SessionError
        ? error
        : new SessionError(`${this.path} cannot be created: ${errorText(error)}`);
    }
  }

  private put(text: string): void {
    const bytes = Buffer.from(text);
    let done = 0;
    try {
      while (done < bytes.length) done += writeSync(this.fd!, bytes, done);
      this.size += bytes.length;
      this.unsynced = true;
    } catch (error) {
      // A partial line would corrupt the next one.
      if (done > 0) ftruncateSync(this.fd!, this.size);
      throw new SessionError(`${this.path} cannot be written: ${errorText(error)}`);
    }
  }
}

/** A new file name is durable only after its folder is synced. Not every system supports that. */
function syncFolder(path: string): void {
  try {
    const fd = openSync(path, "r");
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch {}
}
