import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { type CreateLane, GantryError } from "@gantry/protocol";
import type { Config } from "../../config.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { requestHash } from "../../session/requests.ts";
import { headOf } from "../git/commits.ts";
import type { Git, GitTrust } from "../git/git.ts";
import { requireRepository } from "../git/repository.ts";
import { Semaphore } from "../git/semaphore.ts";
import { listWorktrees } from "../git/worktrees.ts";
import type { GitFacts } from "../inspect/git-facts.ts";
import { realFolder } from "../inspect/lane-views.ts";
import { freeName, slugOf } from "../names.ts";
import type { LaneRecord } from "../port.ts";
import { leasePorts } from "../ports.ts";
import type { LaneRecords } from "../records.ts";
import { laneFileItems, untrustedError } from "../untrusted.ts";
import { choose, mergeBaseWithPrimary, nameTaken } from "./choose.ts";
import { CREATE, type CreateData, createPlan } from "./create-plan.ts";
import { type LaneFile, readLaneFile } from "./lane-file.ts";
import { runSetup } from "./setup.ts";

export type LaneCreatorDeps = {
  git: Git;
  facts: GitFacts;
  records: LaneRecords;
  jobs: Jobs;
  config: Config;
  home: string;
  /** The environment of a set-up command. */
  env: (lane: string) => Record<string, string>;
  id: (kind: "lane" | "job") => string;
  now: () => string;
  /** Whether a removed lane with this id can be restored. */
  wasRemoved: (id: string) => boolean;
  restored: (id: string) => Promise<void>;
  trust: GitTrust;
};

const SETUP = "lane.setup";

/** Creates, adopts and restores lanes, and runs their set-up. */
export class LaneCreator {
  readonly #deps: LaneCreatorDeps;
  /** Serialises creation until the lane has its place, so that two never choose the same name, path or ports. */
  readonly #choosing = new Semaphore(1);
  readonly #stopping = new AbortController();

  constructor(deps: LaneCreatorDeps) {
    this.#deps = deps;
    const { git, facts, records, jobs, config } = deps;
    const setUp = (id: string) => this.#setUp(id);
    const firstPort = () => config.lanes.firstPort;
    jobs.register(createPlan({ git, facts, records, firstPort, setUp, restored: deps.restored }));
    jobs.register<{ lane: string }>({
      kind: SETUP,
      steps: [{ name: "setup", run: ({ lane }) => this.#setUp(lane).then(() => undefined) }],
    });
  }

  async create(body: CreateLane): Promise<{ record: LaneRecord; created: boolean }> {
    const request = requestHash(body);
    if (body.id !== undefined) await this.waitForPlaced(body.id);
    const { id, created } = await this.#choosing.run(async () => {
      const known = body.id === undefined ? undefined : this.#findRepeated(body.id, request);
      if (known) return { id: known.id, created: false };
      if (body.path !== undefined) return { id: (await this.#adopt(body, request)).id, created: true };
      const data = await this.#decide(body, request);
      await this.#begin(data);
      return { id: data.lane.id, created: true };
    });
    return { record: await this.#waitForUsable(id), created };
  }

  /** Recreates a removed lane, or one whose folder is missing, with its old id and path. */
  async recreate(data: CreateData): Promise<LaneRecord> {
    await this.#choosing.run(() => this.#begin(data));
    return this.#waitForUsable(data.lane.id);
  }

  /** Resolves when no job of an earlier daemon is still creating the lane. Its set-up may still run. */
  async waitForPlaced(id: string): Promise<void> {
    const { jobs, records } = this.#deps;
    const open = jobs
      .list<CreateData>(CREATE)
      .filter(({ data, state }) => data.lane.id === id && (state === "running" || state === "undoing"));
    const waitForCreated = (job: string) => records.until(id, (one) => one?.job === job && one.state !== "creating");
    await Promise.all(open.map(({ id: job }) => Promise.race([waitForCreated(job), jobs.waitForEnd(job)])));
  }

  /** Starts the set-up again. Throws `conflict` while it runs, `unsupported` where there is none. */
  async restartSetup(record: LaneRecord): Promise<void> {
    const { git, jobs, records } = this.#deps;
    if (record.setup.state === "running") {
      throw new GantryError("conflict", `The set-up of ${record.name} is already running.`, {
        remedy: "Wait until it ends.",
      });
    }
    const file = await readLaneFile(git, { path: record.path, primary: record.repository });
    await this.#requireTrust(record, file);
    if (!file.setup) {
      throw new GantryError("unsupported", `${record.repository} has no set-up command for its lanes.`, {
        remedy: "Add one to .gantry/lane.yml: `setup: npm ci`",
      });
    }
    records.change(record.id, { setup: { state: "running", command: file.setup } });
    jobs.start(SETUP, this.#deps.id("job"), { lane: record.id });
  }

  /** Starts the set-ups that waited for trust and have it now. Called after the user has trusted a folder. */
  async restartTrusted(): Promise<void> {
    const waiting = this.#deps.records.list().filter(({ setup }) => setup.state === "untrusted");
    for (const record of waiting) await this.restartSetup(record).catch(() => undefined);
  }

  /** Ends running set-up commands; each lane gets a notice. */
  async stop(): Promise<void> {
    this.#stopping.abort();
  }

  logPath(id: string): string {
    return join(this.#deps.home, "setup", `${slugOf(id)}.log`);
  }

  /** The lane that the same request created. Throws `conflict` if the request differs. */
  #findRepeated(id: string, request: string): LaneRecord | undefined {
    const { records, wasRemoved } = this.#deps;
    const known = records.get(id);
    if (!known && wasRemoved(id)) {
      throw new GantryError("conflict", `${id} was removed.`, {
        remedy: `\`gantry lanes undo ${id}\` restores it.`,
      });
    }
    if (known && known.request !== request) {
      throw new GantryError("conflict", `${id} already exists and was created with other values.`, {
        remedy: "Use another id, or omit it.",
      });
    }
    return known?.state === "failed" && known.error ? undefined : known;
  }

  async #decide(body: CreateLane, request: string): Promise<CreateData> {
    const { git, records, config, home, id, now } = this.#deps;
    const repository = await requireRepository(git, realFolder(body.cwd ?? ""));
    const { primary, commonDir, bare } = repository;
    const lanes = records.ofRepository(commonDir).filter((one) => one.id !== body.id);
    const { branchPrefix, folder = join(home, "lanes") } = config.lanes;
    const { commit, ...choice } = await choose(body, { git, repository, lanes, folder, branchPrefix });
    const file = body.setup === false ? undefined : await readLaneFile(git, { commit, primary, bare });
    const lane: LaneRecord = {
      ...choice,
      id: body.id ?? id("lane"),
      kind: "worktree",
      repository: primary,
      commonDir,
      state: "creating",
      setup: { state: "none" },
      notices: [],
      request,
      createdAt: now(),
    };
    const ports = file?.ports ?? config.lanes.ports;
    return { lane, commit, ports, bare, newBranch: choice.ownBranch, ...(file ? { file } : {}) };
  }

  /** Resolves when the lane has its place. */
  async #begin(data: CreateData): Promise<void> {
    const { jobs, records, id } = this.#deps;
    const job = id("job");
    const lane = { ...data.lane, job };
    jobs.start(CREATE, job, { ...data, lane });
    await Promise.race([records.until(lane.id, (record) => record?.job === job), jobs.outcome(job)]);
    void jobs.waitForEnd(job).then(({ state }) => state === "done" && jobs.forget(job));
  }

  /** Resolves when the lane is usable. Deletes a lane that could not be created, and throws the reason. */
  async #waitForUsable(id: string): Promise<LaneRecord> {
    const { records, jobs } = this.#deps;
    const job = records.get(id)?.job ?? "";
    const record = await records.until(id, (one) => one?.state !== "creating");
    const state = jobs.get(job)?.state;
    if (record && record.state !== "failed" && state !== "undoing" && state !== "failed") return record;
    try {
      await jobs.outcome(job);
    } finally {
      if (records.get(id)?.state === "failed") records.delete(id);
      jobs.forget(job);
    }
    throw new GantryError("internal", `The lane ${id} could not be created.`);
  }

  async #adopt(body: CreateLane, request: string): Promise<LaneRecord> {
    const { git, records, config, id, now } = this.#deps;
    const path = realFolder(body.path ?? "");
    const { root, primary, commonDir, bare } = await requireRepository(git, path);
    const tree = (await listWorktrees(git, commonDir)).slice(1).find((one) => one.path === path);
    if (!tree) throw cannotAdopt(path, root, primary);
    const known = records.list().find((record) => record.path === path);
    if (known)
      throw new GantryError("conflict", `${path} is already the lane ${known.name}.`, { details: { lane: known.id } });
    const { branch, commit } = await headOf(git, path);
    if (!commit)
      throw new GantryError("no_commits", `${path} has no commit yet.`, { remedy: "Create a first commit there." });
    const isTaken = (name: string) =>
      records.ofRepository(commonDir).some((one) => one.name.toLowerCase() === name.toLowerCase());
    if (body.name !== undefined && isTaken(body.name)) throw nameTaken(body.name);
    const base = bare ? { commit } : await mergeBaseWithPrimary(git, primary, commit);
    const ports = await leasePorts({ first: config.lanes.firstPort, count: config.lanes.ports }, () => records.list());
    const record: LaneRecord = {
      id: body.id ?? id("lane"),
      name: body.name ?? freeName(slugOf(basename(path)), isTaken),
      namedBy: body.name === undefined ? "prompt" : "hand",
      kind: "attached",
      repository: primary,
      commonDir,
      path,
      ...(branch ? { branch } : {}),
      ownBranch: false,
      base,
      state: "ready",
      ports,
      setup: { state: "none" },
      notices: [],
      request,
      createdAt: now(),
    };
    records.put(record);
    return record;
  }

  /** What the command names is read in the lane, right before the command runs there. */
  #isTrusted({ path }: LaneRecord, setup: string): boolean {
    return this.#deps.trust.covers(path, laneFileItems({ setup }, path));
  }

  /** Throws `untrusted`. Names the repository if it has the same command, because its trust covers all of its lanes. */
  async #requireTrust(record: LaneRecord, { setup }: LaneFile): Promise<void> {
    const { name, path, repository } = record;
    if (setup === undefined || this.#isTrusted(record, setup)) return;
    const ofRepository = await readLaneFile(this.#deps.git, { primary: repository }).catch(() => undefined);
    const what = `The set-up of ${name} was not run, because you have not trusted`;
    throw untrustedError(what, ofRepository?.setup === setup ? repository : path, laneFileItems({ setup }, path));
  }

  /** Never throws for a failing command: a lane whose set-up failed is usable. */
  async #setUp(id: string): Promise<void> {
    const { git, records, config, env, now } = this.#deps;
    const record = records.get(id);
    if (!record || record.state === "removing" || !existsSync(record.path)) return;
    try {
      const file = await readLaneFile(git, { path: record.path, primary: record.repository });
      const command = file.setup ?? record.setup.command;
      if (!command) return records.change(id, { setup: { state: "none" } });
      if (!this.#isTrusted(record, command)) return records.change(id, { setup: { state: "untrusted", command } });
      records.change(id, { setup: { state: "running", command, startedAt: now() } });
      const timeoutMs = (file.timeoutSeconds ?? config.lanes.setupSeconds) * 1000;
      const setup = await runSetup({
        id,
        command,
        cwd: record.path,
        env: env(id),
        timeoutMs,
        log: this.logPath(id),
        now,
        signal: this.#stopping.signal,
      });
      const notices = this.#stopping.signal.aborted ? [...record.notices, CUT_SHORT] : record.notices;
      records.change(id, { setup, notices });
    } catch (error) {
      const notices = [...record.notices, `The set-up could not be run: ${(error as Error).message}`];
      records.change(id, { setup: { ...record.setup, state: "failed", endedAt: now() }, notices });
    }
  }
}

const CUT_SHORT = "The daemon was stopped during the set-up. Run it again: gantry lanes setup";

function cannotAdopt(path: string, root: string, primary: string): GantryError {
  const why =
    path === primary
      ? "is the primary work tree. Sessions work in it without adoption"
      : `is not a worktree. The one that contains it is ${root}`;
  return new GantryError("invalid", `${path} ${why}.`, {
    remedy: "`git worktree list` shows the worktrees that can be adopted.",
  });
}
