import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { Config } from "../../config.ts";
import type { Job } from "../../jobs/job.ts";
import { Jobs } from "../../jobs/jobs.ts";
import { Lanes } from "../lanes.ts";
import type { LaneRecord } from "../port.ts";
import { TestLanes } from "../testing/test-lanes.ts";
import { testGitEnvironment } from "../testing/test-repository.ts";
import type { CreateData } from "./create-plan.ts";

let test: TestLanes;
afterEach(() => test.dispose());

const at = "2026-01-01T00:00:00.000Z";

/** A lane whose creation was interrupted in the worktree step. */
function interruptedCreation(): { record: LaneRecord; commit: string } {
  test = new TestLanes();
  const { repo, home, store, cwd } = test;
  repo.commit({ "a/b": "1\n" });
  const commit = repo.git("rev-parse", "HEAD");
  const record: LaneRecord = {
    id: "lan_half",
    name: "half",
    namedBy: "hand",
    kind: "worktree",
    repository: cwd,
    commonDir: join(cwd, ".git"),
    path: join(home, "lanes", "half"),
    branch: "gantry/half",
    ownBranch: true,
    base: { ref: "main", commit },
    state: "creating",
    ports: { start: 47_900, end: 47_909 },
    setup: { state: "none" },
    notices: [],
    request: "",
    job: "job_half",
    createdAt: at,
  };
  const data: CreateData = { lane: record, commit, ports: 10, bare: false, newBranch: true };
  const job: Job<CreateData> = {
    id: "job_half",
    kind: "lane.create",
    state: "running",
    at: 1,
    data,
    createdAt: at,
    updatedAt: at,
  };
  store.records("lane").put(record.id, record);
  store.records("job").put(job.id, job);
  return { record, commit };
}

/** Starts the next daemon's lanes and waits for the resumed job. */
async function resumeLanes(): Promise<Lanes> {
  const { store, home } = test;
  const jobs = new Jobs({ store, now: () => at, log: () => {} });
  const lanes = new Lanes({
    store,
    jobs,
    home,
    config: Config.parse({}),
    env: testGitEnvironment,
    id: () => "job_other",
    now: () => at,
    places: () => [],
    release: async () => {},
    trust: { covers: () => true },
  });
  jobs.resume();
  await jobs.waitForEnd("job_half");
  return lanes;
}

async function expectCompleteLane(path: string): Promise<void> {
  const lanes = await resumeLanes();
  expect(await lanes.get("lan_half")).toMatchObject({
    state: "ready",
    branch: "gantry/half",
    dirty: false,
    missing: [],
  });
  expect(readFileSync(join(path, "a/b"), "utf8")).toBe("1\n");
  expect(test.repo.git("worktree", "list").split("\n").length).toBe(2);
}

it("completes a lane of which only the branch exists", async () => {
  const { record } = interruptedCreation();
  test.repo.git("branch", "gantry/half");
  await expectCompleteLane(record.path);
});

it("completes a lane whose checkout was killed and left its lock", async () => {
  const { record } = interruptedCreation();
  const { repo, cwd } = test;
  repo.git("worktree", "add", "-q", "-b", "gantry/half", record.path);
  const admin = join(cwd, ".git/worktrees/half");
  writeFileSync(join(admin, "locked"), "initializing");
  writeFileSync(join(admin, "index.lock"), "");
  rmSync(join(admin, "index"));
  rmSync(join(record.path, "a"), { recursive: true });
  await expectCompleteLane(record.path);
});

it("accepts a worktree that git completed after the daemon died", async () => {
  const { record } = interruptedCreation();
  test.repo.git("worktree", "add", "-q", "-b", "gantry/half", record.path);
  await expectCompleteLane(record.path);
});

it("leaves a user's folder at the lane's path unchanged and rolls the lane back", async () => {
  const { record } = interruptedCreation();
  test.repo.write({ mine: "1" }, record.path);
  const lanes = await resumeLanes();
  expect(await lanes.get("lan_half")).toMatchObject({
    state: "failed",
    missing: [expect.stringContaining("already exists")],
  });
  expect(existsSync(join(record.path, "mine"))).toBe(true);
  expect(test.repo.git("branch", "--list", "gantry/*")).toBe("");
});
