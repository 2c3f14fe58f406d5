import { createHash } from "node:crypto";
import { GantryError, type ImportConversation, type ImportProgress, type Session } from "@gantry/protocol";
import type { Jobs } from "../jobs/jobs.ts";
import { sessionFolder } from "../session/folders.ts";
import { catchUp } from "./history/catch-up.ts";
import { findPast } from "./history/find-conversations.ts";
import { IMPORT, type ImportData, type ImportDeps, importPlan } from "./history/import-job.ts";
import type { Imported } from "./port.ts";
import { type ImportSessions, relocate } from "./relocate.ts";

export type ImportsDeps = Omit<ImportDeps, "onProgress"> & { jobs: Jobs; sessions: ImportSessions };

/** Imports conversations of agents. Idempotent: one conversation is one session. */
export class Imports {
  readonly #deps: ImportsDeps;
  readonly #job: ImportDeps;
  readonly #listeners = new Map<string, Set<(progress: ImportProgress) => void>>();

  constructor(deps: ImportsDeps) {
    this.#deps = deps;
    this.#job = {
      ...deps,
      onProgress: (session, progress) => {
        for (const listener of this.#listeners.get(session) ?? []) listener(progress);
      },
    };
    deps.jobs.register(importPlan(this.#job));
  }

  async import(body: ImportConversation, onProgress?: (progress: ImportProgress) => void): Promise<Imported> {
    const { store, place } = this.#deps;
    const keeper = this.#deps.keeper(body.agent);
    const cwd = body.cwd === undefined ? undefined : sessionFolder({ cwd: body.cwd });
    const head = await findPast(keeper, place, body.conversation);
    const known = store.sessions.byHandle(keeper.id).get(head.id);
    if (known) return { session: await this.#knownSession(known, cwd, body.again === true), created: false };
    const session = await this.#begin({ agent: keeper.id, conversation: head.id, cwd }, onProgress);
    return { session: this.#deps.sessions.get(session.id), created: session.mine };
  }

  /** Runs one job per conversation. Concurrent callers share it. */
  async #begin(
    request: Omit<ImportData, "session">,
    onProgress: ((progress: ImportProgress) => void) | undefined,
  ): Promise<{ id: string; mine: boolean }> {
    const { jobs, id } = this.#deps;
    const job = jobId(request);
    const before = jobs.get(job)?.state;
    // A finished job of an earlier daemon: its session may have been deleted since.
    if (before === "failed" || before === "done") jobs.forget(job);
    const fresh = id("session");
    const session = jobs.start<ImportData>(IMPORT, job, { ...request, session: fresh }).data.session;
    const listeners = this.#listeners.get(session) ?? new Set();
    if (onProgress) this.#listeners.set(session, listeners.add(onProgress));
    try {
      await jobs.outcome(job);
      return { id: session, mine: session === fresh };
    } finally {
      this.#listeners.delete(session);
      jobs.forget(job);
    }
  }

  async #knownSession(id: string, cwd: string | undefined, again: boolean): Promise<Session> {
    const { store, sessions } = this.#deps;
    if (again) {
      const row = store.sessions.get(id);
      if (row) await this.#addTo(row.id);
    }
    return relocate(sessions, id, cwd);
  }

  async #addTo(id: string): Promise<void> {
    const { store, sessions } = this.#deps;
    await sessions.reread(id);
    const row = store.sessions.get(id);
    if (!row) return;
    if (row.view.turn || row.view.queue.length > 0) {
      throw new GantryError("turn_running", `A turn of ${id} is running.`, { remedy: "Wait until it ends." });
    }
    await catchUp(this.#job, row);
    await sessions.reread(id);
  }
}

function jobId({ agent, conversation }: Omit<ImportData, "session">): string {
  return `job_import_${createHash("sha256").update(`${agent} ${conversation}`).digest("hex").slice(0, 20)}`;
}
