import { createReadStream, createWriteStream, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { rename, rm, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";

/**
 * The files of one process. `in` is its FIFO; `given` holds files for the agent until it ends; `out.gz`
 * replaces `out` after it ended.
 */
export type SpoolPaths = {
  dir: string;
  in: string;
  out: string;
  err: string;
  exit: string;
  given: string;
  compressed: string;
};

export type SweepPolicy = {
  maxAgeDays: number;
  maxBytes: number;
  now: number;
  /** Processes whose spools are in use. */
  keep: ReadonlySet<string>;
};

export type Swept = { session: string; process: string; bytes: number; reason: "age" | "size" };

type Entry = { session: string; process: string; dir: string; bytes: number; lastWrite: number };

const DAY_MS = 86_400_000;

/** The raw output of agents: `<home>/spool/<session>/<process>/`, readable by the owner alone. */
export class Spool {
  readonly #root: string;

  constructor(home: string) {
    this.#root = join(home, "spool");
  }

  paths(session: string, process: string): SpoolPaths {
    const dir = join(this.#root, segment(session), segment(process));
    return {
      dir,
      in: join(dir, "in"),
      out: join(dir, "out"),
      err: join(dir, "err"),
      exit: join(dir, "exit"),
      given: join(dir, "given"),
      compressed: join(dir, "out.gz"),
    };
  }

  create(session: string, process: string): SpoolPaths {
    const paths = this.paths(session, process);
    mkdirSync(paths.dir, { recursive: true, mode: 0o700 });
    return paths;
  }

  /** Removes the spool of a process, or all those of a session. */
  remove(session: string, process?: string): void {
    const folder = join(this.#root, segment(session));
    rmSync(process === undefined ? folder : join(folder, segment(process)), { recursive: true, force: true });
  }

  /** Compresses the output of an ended, fully decoded process. Idempotent, also after a crash in the middle. */
  async compress(session: string, process: string): Promise<void> {
    const { out, compressed, given, in: fifo } = this.paths(session, process);
    await unlink(fifo).catch(ignoreMissing);
    await rm(given, { recursive: true, force: true });
    if (!(await stat(out).catch(ignoreMissing))) return;
    const unfinished = `${compressed}.tmp`;
    await pipeline(createReadStream(out), createGzip(), createWriteStream(unfinished, { mode: 0o600 }));
    await rename(unfinished, compressed);
    await unlink(out);
  }

  size(): number {
    return this.#entries().reduce((sum, entry) => sum + entry.bytes, 0);
  }

  /** Removes expired spools, then the oldest until the rest fits. Returns the removed ones. */
  sweep({ maxAgeDays, maxBytes, now, keep }: SweepPolicy): Swept[] {
    const entries = this.#entries().sort((a, b) => a.lastWrite - b.lastWrite);
    let total = entries.reduce((sum, entry) => sum + entry.bytes, 0);
    const swept: Swept[] = [];
    for (const { session, process, bytes, lastWrite } of entries) {
      const old = now - lastWrite > maxAgeDays * DAY_MS;
      if (keep.has(process) || (!old && total <= maxBytes)) continue;
      this.remove(session, process);
      total -= bytes;
      swept.push({ session, process, bytes, reason: old ? "age" : "size" });
    }
    for (const session of new Set(swept.map((entry) => entry.session))) {
      if (list(join(this.#root, session)).length === 0) this.remove(session);
    }
    return swept;
  }

  #entries(): Entry[] {
    return list(this.#root).flatMap((session) =>
      list(join(this.#root, session)).map((process) => {
        const dir = join(this.#root, session, process);
        const files = list(dir).flatMap((name) => statSync(join(dir, name), { throwIfNoEntry: false }) ?? []);
        const bytes = files.reduce((sum, file) => sum + file.size, 0);
        const lastWrite = Math.max(0, ...files.map((file) => file.mtimeMs));
        return { session, process, dir, bytes, lastWrite };
      }),
    );
  }
}

/** Ids become folder names, so anything else is refused. */
function segment(id: string): string {
  if (!/^[A-Za-z]+_[A-Za-z0-9_.:#-]+$/.test(id)) throw new Error(`${JSON.stringify(id)} is not an id`);
  return id;
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw error;
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
