import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, vi } from "vitest";
import type { Store } from "../port.ts";
import { openStore } from "../sqlite/open.ts";
import { Script } from "./events.ts";

/** A fresh store in a temporary home for each test of a file. */
export class TemporaryStore {
  home = "";
  store!: Store;

  constructor() {
    vi.setConfig({ testTimeout: 120_000 });
    beforeEach(() => {
      this.home = mkdtempSync(join(tmpdir(), "gantry-"));
      this.store = openStore(this.path);
    });
    afterEach(() => {
      this.store.close();
      rmSync(this.home, { recursive: true, force: true });
    });
  }

  get path(): string {
    return join(this.home, "gantry.db");
  }

  reopen(): void {
    this.store.close();
    this.store = openStore(this.path);
  }

  /** A session whose first event is committed. */
  startSession(session = "ses_a", day?: string): Script {
    const script = new Script(session, day);
    this.store.commit({ session, events: script.create() });
    return script;
  }

  /** Everything a caller can see. */
  readVisible(session: string) {
    const { store } = this;
    return {
      events: store.readAll(0, 10_000),
      session: store.sessions.get(session),
      env: store.sessions.env(session),
      inputs: ["inp_1", "inp_2"].map((id) => store.findInput(id)),
      pending: store.pendingInputs(),
      usage: store.usage(["agent", "model", "day", "session"]),
      grants: store.grants(),
      search: store.search("word", 1000).sort((a, b) => a.seq - b.seq),
      spools: store.spools.ofSession(session),
      journal: store.journal.list("prc_1"),
    };
  }
}
