import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import type { Jobs } from "../jobs/jobs.ts";
import { sessionFolder } from "../session/folders.ts";
import {
  type FileData,
  type FileDeps,
  type FileRecord,
  IMPORT_FILE,
  importFilePlan,
  sameEvents,
} from "./container/import-file.ts";
import { type Checked, check } from "./container/read.ts";
import { Uploads } from "./container/upload.ts";
import type { Imported, ImportOptions } from "./port.ts";
import { type ImportSessions, relocate } from "./relocate.ts";

export type FilesDeps = FileDeps & { jobs: Jobs; sessions: ImportSessions; home: string };

/** Imports files that `export` wrote. A file is verified completely before anything is written. */
export class SessionFiles {
  readonly #deps: FilesDeps;
  readonly #uploads: Uploads;
  /** Serialises imports, so that the same file sent twice concurrently becomes one session. */
  #before: Promise<unknown> = Promise.resolve();

  constructor(deps: FilesDeps) {
    this.#deps = deps;
    this.#uploads = new Uploads(deps.home);
    deps.jobs.register(importFilePlan(deps));
    this.#uploads.sweep(
      new Set(
        deps.jobs
          .list<FileData>(IMPORT_FILE)
          .filter(isOpen)
          .map(({ data }) => data.path),
      ),
    );
  }

  async import(file: Readable, options: ImportOptions): Promise<Imported> {
    this.#uploads.refuseLarge(options.bytes ?? 0);
    const cwd = options.cwd === undefined ? undefined : sessionFolder({ cwd: options.cwd });
    const path = await this.#uploads.take(file);
    const mine = this.#before.then(() => this.#take(path, cwd, options.signal));
    this.#before = mine.catch(() => undefined);
    return mine;
  }

  async #take(path: string, cwd: string | undefined, signal?: AbortSignal): Promise<Imported> {
    try {
      const checked = await check(path, signal);
      const known = this.#findImported(checked);
      if (known) return { session: await relocate(this.#deps.sessions, known, cwd), created: false };
      return await this.#begin(path, checked, cwd);
    } finally {
      this.#uploads.remove(path);
    }
  }

  /** The patch of a turn of an imported session, if its file has one. */
  patchOf(session: string, turn: string): string | undefined {
    const blob = this.#record(session)?.patches[turn];
    return blob === undefined ? undefined : this.#deps.blobs.read(blob);
  }

  /** Deletes the patches of a deleted session. */
  removed(session: string): void {
    const { store, blobs } = this.#deps;
    const patches = Object.values(this.#record(session)?.patches ?? {});
    blobs.remove(patches.filter((blob) => !store.refersTo(blob)));
    store.records(IMPORT_FILE).delete(session);
  }

  #record(session: string): FileRecord | undefined {
    return this.#deps.store.records<FileRecord>(IMPORT_FILE).get(session);
  }

  /** The session that already has this content: imported before, or the original. */
  #findImported({ header, sums }: Checked): string | undefined {
    const { store } = this.#deps;
    const records = store.records<FileRecord>(IMPORT_FILE).list();
    const imported = records.find(({ seal, session }) => seal === sums.eventsSha256 && store.sessions.get(session));
    if (imported) return imported.session;
    return sameEvents(store, header.session.id, sums) ? header.session.id : undefined;
  }

  async #begin(path: string, { header, sums }: Checked, cwd: string | undefined): Promise<Imported> {
    const { jobs, store, sessions, id } = this.#deps;
    const from = header.session.id;
    const taken = store.sessions.get(from) || store.sessions.listDeleted().includes(from);
    const session = taken ? id("session") : from;
    const job = `job_file_${createHash("sha256").update(`${sums.eventsSha256} ${path}`).digest("hex").slice(0, 20)}`;
    jobs.start<FileData>(IMPORT_FILE, job, { path, from, session, seal: sums.eventsSha256, cwd });
    try {
      await jobs.outcome(job);
      return { session: sessions.get(session), created: true };
    } finally {
      jobs.forget(job);
    }
  }
}

function isOpen({ state }: { state: string }): boolean {
  return state === "running" || state === "undoing";
}
