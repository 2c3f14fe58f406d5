import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeIds } from "@gantry/protocol";
import { Config } from "../../config.ts";
import { Jobs } from "../../jobs/jobs.ts";
import { openStore } from "../../log/sqlite/open.ts";
import type { GitTrust } from "../git/git.ts";
import type { SessionPlace } from "../inspect/session-places.ts";
import { Lanes } from "../lanes.ts";
import { TestRepository, testGitEnvironment } from "./test-repository.ts";

type Options = {
  /** What the user has trusted: everything, unless the test restricts it. */
  trust?: GitTrust;
  repository?: { name?: string; empty?: boolean };
  lanes?: Partial<Config["lanes"]>;
};

/** Lanes over a real store and a real repository; the test supplies the sessions. */
export class TestLanes {
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), "gantry-lanes-")));
  readonly repo: TestRepository;
  readonly store = openStore(join(this.home, "gantry.db"));
  readonly jobs: Jobs;
  readonly lanes: Lanes;
  places: SessionPlace[] = [];
  released: string[] = [];

  constructor({ repository, lanes = {}, trust = { covers: () => true } }: Options = {}) {
    this.repo = new TestRepository(repository);
    const now = () => new Date().toISOString();
    this.jobs = new Jobs({ store: this.store, now, log: () => {} });
    this.lanes = new Lanes({
      store: this.store,
      jobs: this.jobs,
      config: Config.parse({ lanes }),
      home: this.home,
      env: testGitEnvironment,
      id: makeIds(Date.now, Math.random),
      now,
      places: () => this.places,
      trust,
      release: async (session) => void this.released.push(session),
    });
  }

  get cwd(): string {
    return this.repo.path;
  }

  async dispose(): Promise<void> {
    await this.lanes.stop();
    await this.jobs.stop();
    this.store.close();
    this.repo.remove();
    rmSync(this.home, { recursive: true, force: true });
  }
}
