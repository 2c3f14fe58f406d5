import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { type Envelope, type ExportFormat, foldSession, GantryError, makeIds } from "@gantry/protocol";
import { agentById } from "../../agents/registry.ts";
import { Jobs } from "../../jobs/jobs.ts";
import { Blobs } from "../../log/blobs.ts";
import type { Store } from "../../log/port.ts";
import { openStore } from "../../log/sqlite/open.ts";
import { toClientSession } from "../../session/client-view.ts";
import type { Imported } from "../port.ts";
import type { ImportSessions } from "../relocate.ts";
import { Transfer } from "../transfer.ts";

type Draft = { type: string; data: object; turn?: string };

/** A machine with a real log and real files, on which no agent is ever started: its sessions only have a log. */
export class Machine {
  readonly home = mkdtempSync(join(tmpdir(), "gantry-machine-"));
  readonly store: Store = openStore(join(this.home, "gantry.db"));
  readonly blobs = new Blobs(this.home);
  readonly id = makeIds(Date.now, Math.random);
  readonly now = () => new Date().toISOString();
  readonly jobs = new Jobs({ store: this.store, now: this.now, log: () => {} });
  patches: Record<string, string> = {};
  readonly transfer = new Transfer({
    store: this.store,
    blobs: this.blobs,
    jobs: this.jobs,
    announcer: { committed: () => {}, live: () => {}, removed: () => {} },
    sessions: this.#sessions(),
    agents: [],
    agent: agentById,
    env: {},
    userHome: "/home/ann",
    home: this.home,
    version: "1.2.3",
    secrets: ["the-daemons-own-token"],
    briefChars: 10_000,
    patchOf: async (_, turn) => this.patches[turn],
    id: this.id,
    now: this.now,
  });

  /** A session with these events. */
  put(id: string, drafts: readonly Draft[], cwd = this.home): Envelope[] {
    const data = { agent: "scripted", mode: "full-auto", cwd, title: "A session", origin: "api" };
    const all: Draft[] = [{ type: "session.created", data }, ...drafts];
    const events = all.map((one, index) => {
      const at = new Date(1_700_000_000_000 + index).toISOString();
      return this.blobs.spill({ v: 1, session: id, seq: index + 1, at, ...one } as Envelope);
    });
    let view: ReturnType<typeof foldSession> | undefined;
    for (const event of events) view = foldSession(view, event);
    this.store.commit({ session: id, events, view });
    return events;
  }

  log(id: string): string[] {
    return this.store.readEvents(id, 0, 100_000).map(({ json }) => json);
  }

  async export(id: string, format: ExportFormat = "gantry", redact = false): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of this.transfer.export(id, format, { redact }).pieces) pieces.push(Buffer.from(piece));
    return Buffer.concat(pieces);
  }

  import(file: Uint8Array, options: { cwd?: string } = {}): Promise<Imported> {
    return this.transfer.importFile(Readable.from([file]), options);
  }

  dispose(): void {
    this.store.close();
    rmSync(this.home, { recursive: true, force: true });
  }

  #sessions(): ImportSessions {
    const viewOf = (id: string) => {
      const row = this.store.sessions.get(id);
      if (!row) throw new GantryError("no_such_session", `There is no session ${id}.`);
      return row.view;
    };
    return {
      get: (id) => toClientSession(viewOf(id)),
      append: (id, drafts) => {
        const { lastSeq } = viewOf(id);
        const common = { v: 1, session: id, at: this.now() };
        const events = drafts.map((one, index) => ({ ...common, seq: lastSeq + 1 + index, ...one }) as Envelope);
        this.store.commit({ session: id, events });
        return toClientSession(viewOf(id));
      },
      reread: async () => {},
    };
  }
}
