import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { type CreateLane, GantryError } from "@gantry/protocol";
import type { Config } from "../../config.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { requestHash } from "../../session/idempotency.ts";
import { headOf } from "../git/commits.ts";
import { Gate } from "../git/gate.ts";
import type { Git } from "../git/git.ts";
import { requireRepository } from "../git/repository.ts";
import { listWorktrees } from "../git/worktrees.ts";
import { freeName, slugOf } from "../names.ts";
import type { LaneRecord } from "../port.ts";
import { leasePorts } from "../ports.ts";
import type { LaneRecords } from "../records.ts";
import type { Facts } from "../seeing/facts.ts";
import { realFolder } from "../seeing/views.ts";
import { choose, nameTaken, parting } from "./choose.ts";
import { CREATE, type CreateData, createPlan } from "./create-plan.ts";
import { readLaneFile } from "./lane-file.ts";
import { runSetup } from "./setup.ts";

export type MakerDeps = {
  git: Git;
  facts: Facts;
  records: LaneRecords;
  jobs: Jobs;
  config: Config;
  home: string;
  /** What a set-up command finds in its environment. */
  env: (lane: string) => Record<string, string>;
  id: (kind: "lane" | "job") => string;
  now: () => string;
  /** Was a lane of this id there once, and can it be had back? */
  wasRemoved: (id: string) => boolean;
  restored: (id: string) => Promise<void>;
};

const SETUP = "lane.setup";

/** New lanes: made, adopted, or made again; and their set-up. */
export class Making {
  readonly #deps: MakerDeps;
  /** One after the other until it has its place, so that two never choose the same name, path or ports. */
  readonly #choosing = new Gate(1);
  readonly #stopping = new AbortController();

  constructor(deps: MakerDeps) {
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
    if (body.id !== undefined) await this.placed(body.id);
    const { id, created } = await this.#choosing.pass(async () => {
      const known = body.id === undefined ? undefined : this.#repeated(body.id, request);
      if (known) return { id: known.id, created: false };
      if (body.path !== undefined) return { id: (await this.#adopt(body, request)).id, created: true };
      const data = await this.#decide(body, request);
      await this.#begin(data);
      return { id: data.lane.id, created: true };
    });
    return { record: await this.#usable(id), created };
  }

  /** A lane that was removed, or whose folder is gone, under its old id and path. */
  async again(data: CreateData): Promise<LaneRecord> {
    await this.#choosing.pass(() => this.#begin(data));
    return this.#usable(data.lane.id);
  }

  /** Resolves when no job that an earlier daemon left is still about to make it. Its set-up may go on. */
  async placed(id: string): Promise<void> {
    const { jobs, records } = this.#deps;
    const open = jobs
      .list<CreateData>(CREATE)
      .filter(({ data, state }) => data.lane.id === id && (state === "running" || state === "undoing"));
    const made = (job: string) => records.until(id, (one) => one?.job === job && one.state !== "creating");
    await Promise.all(open.map(({ id: job }) => Promise.race([made(job), jobs.settled(job)])));
  }

  /** Begins the set-up once more. Throws `conflict` while it runs, `unsupported` where there is none. */
  async setUpAgain(record: LaneRecord): Promise<void> {
    const { git, jobs, records } = this.#deps;
    if (record.setup.state === "running") {
      throw new GantryError("conflict", `The set-up of ${record.name} is running.`, { remedy: "Wait for its end." });
    }
    const file = await readLaneFile(git, { path: record.path, primary: record.repository });
    if (!file.setup) {
      throw new GantryError("unsupported", `${record.repository} has no set-up command for its lanes.`, {
        remedy: "Write one into .gantry/lane.yml: `setup: npm ci`",
      });
    }
    records.change(record.id, { setup: { state: "running", command: file.setup } });
    jobs.start(SETUP, this.#deps.id("job"), { lane: record.id });
  }

  /** Set-ups that run are ended, and say so. */
  async stop(): Promise<void> {
    this.#stopping.abort();
  }

  logPath(id: string): string {
    return join(this.#deps.home, "setup", `${slugOf(id)}.log`);
  }

  /** The same request again. Throws `conflict` where it is another. */
  #repeated(id: string, request: string): LaneRecord | undefined {
    const { records, wasRemoved } = this.#deps;
    const known = records.get(id);
    if (!known && wasRemoved(id)) {
      throw new GantryError("conflict", `${id} was removed.`, {
        remedy: `\`gantry lanes undo ${id}\` brings it back.`,
      });
    }
    if (known && known.request !== request) {
      throw new GantryError("conflict", `${id} exists already and was created with other values.`, {
        remedy: "Use another id, or leave it out.",
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

  /** Resolves when it has its place. */
  async #begin(data: CreateData): Promise<void> {
    const { jobs, records, id } = this.#deps;
    const job = id("job");
    const lane = { ...data.lane, job };
    jobs.start(CREATE, job, { ...data, lane });
    await Promise.race([records.until(lane.id, (record) => record?.job === job), jobs.outcome(job)]);
    void jobs.settled(job).then(({ state }) => state === "done" && jobs.forget(job));
  }

  /** When it can be worked in. One that could not be made is forgotten, and the reason is thrown. */
  async #usable(id: string): Promise<LaneRecord> {
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
    throw new GantryError("internal", `${id} could not be made.`);
  }

  async #adopt(body: CreateLane, request: string): Promise<LaneRecord> {
    const { git, records, config, id, now } = this.#deps;
    const path = realFolder(body.path ?? "");
    const { root, primary, commonDir, bare } = await requireRepository(git, path);
    const tree = (await listWorktrees(git, commonDir)).slice(1).find((one) => one.path === path);
    if (!tree) throw cannotAdopt(path, root, primary);
    const known = records.list().find((record) => record.path === path);
    if (known)
      throw new GantryError("conflict", `${path} is the lane ${known.name} already.`, { details: { lane: known.id } });
    const { branch, commit } = await headOf(git, path);
    if (!commit)
      throw new GantryError("no_commits", `${path} has no commit yet.`, { remedy: "Make a first one there." });
    const taken = (name: string) =>
      records.ofRepository(commonDir).some((one) => one.name.toLowerCase() === name.toLowerCase());
    if (body.name !== undefined && taken(body.name)) throw nameTaken(body.name);
    const base = bare ? { commit } : await parting(git, primary, commit);
    const ports = await leasePorts({ first: config.lanes.firstPort, count: config.lanes.ports }, () => records.list());
    const record: LaneRecord = {
      id: body.id ?? id("lane"),
      name: body.name ?? freeName(slugOf(basename(path)), taken),
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

  /** Never throws for what the command did: a lane whose set-up failed can be worked in. */
  async #setUp(id: string): Promise<void> {
    const { git, records, config, env, now } = this.#deps;
    const record = records.get(id);
    if (!record || record.state === "removing" || !existsSync(record.path)) return;
    try {
      const file = await readLaneFile(git, { path: record.path, primary: record.repository });
      const command = file.setup ?? record.setup.command;
      if (!command) return records.change(id, { setup: { state: "none" } });
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
      ? "is the primary work tree: sessions work in it without being adopted"
      : `is no worktree; the one around it is ${root}`;
  return new GantryError("invalid", `${path} ${why}.`, {
    remedy: "`git worktree list` names those that can be adopted.",
  });
}
