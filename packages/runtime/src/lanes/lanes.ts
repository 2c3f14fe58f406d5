import {
  type CreateLane,
  GantryError,
  type Lane,
  type LaneDiff,
  type LaneList,
  type LaneRemoved,
  type LaneSuggestion,
  type LaneUndo,
  type PatchLane,
  type SetupLog,
} from "@gantry/protocol";
import type { Config } from "../config.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { Store } from "../log/port.ts";
import { CREATE } from "./create/create-plan.ts";
import { LaneCreator } from "./create/lane-creator.ts";
import { readLaneFile } from "./create/lane-file.ts";
import { setupOutput } from "./create/setup.ts";
import { Git, type GitTrust } from "./git/git.ts";
import { requireRepository } from "./git/repository.ts";
import { GitFacts } from "./inspect/git-facts.ts";
import { laneInstructions } from "./inspect/lane-instructions.ts";
import { LaneViews, type ListQuery, noSuchLane, realFolder } from "./inspect/lane-views.ts";
import type { SessionPlace } from "./inspect/session-places.ts";
import { suggestionFor } from "./inspect/suggestions.ts";
import { freeName, LONGEST_NAME } from "./names.ts";
import type { LaneRecord, LaneRoom, LaneService } from "./port.ts";
import { LaneRecords } from "./records.ts";
import { LaneRemover } from "./remove/lane-remover.ts";
import { REMOVE } from "./remove/remove-plan.ts";
import { renameLane } from "./rename-lane.ts";

export type LanesDeps = {
  store: Store;
  jobs: Jobs;
  config: Config;
  home: string;
  /** Environment of agents, which set-up commands and git share. */
  env: Record<string, string>;
  id: (kind: "lane" | "job") => string;
  now: () => string;
  /** Every session with its place, archived ones too. */
  places: () => SessionPlace[];
  /** Stops a session's turn and closes its process. The session itself stays. */
  release: (session: string) => Promise<void>;
  trust: GitTrust;
  /** A better name than the start of the prompt. Runs in the background. */
  betterName?: (lane: LaneRecord, prompt: string, agent: string | undefined) => Promise<string | undefined>;
};

/** All lanes of the daemon. The constructor registers the job plans; the daemon resumes jobs afterwards. */
export class Lanes implements LaneService, LaneRoom {
  readonly git: Git;
  readonly #deps: LanesDeps;
  readonly #records: LaneRecords;
  readonly #facts: GitFacts;
  readonly #views: LaneViews;
  readonly #creator: LaneCreator;
  readonly #remover: LaneRemover;

  constructor(deps: LanesDeps) {
    const { store, places } = deps;
    this.#deps = deps;
    this.git = new Git(deps.env, deps.trust);
    this.#records = new LaneRecords(store);
    this.#facts = new GitFacts(this.git);
    const parts = { git: this.git, facts: this.#facts, records: this.#records };
    this.#views = new LaneViews({ ...parts, places });
    this.#creator = new LaneCreator({
      ...deps,
      ...parts,
      env: (lane) => ({ ...deps.env, ...this.surroundings(lane) }),
      wasRemoved: (id) => this.#remover.wasRemoved(id),
      restored: (id) => this.#remover.forgetRestored(id),
    });
    this.#remover = new LaneRemover({
      ...deps,
      ...parts,
      sessions: (lane) => this.#views.sessions(lane),
      logPath: (lane) => this.#creator.logPath(lane),
    });
  }

  /** At boot, before jobs are resumed: deletes finished jobs. Their outcome is in the records. */
  tidy(): void {
    const { jobs } = this.#deps;
    const finished = [CREATE, REMOVE]
      .flatMap((kind) => jobs.list(kind))
      .filter(({ state }) => state === "done" || state === "failed");
    for (const { id } of finished) jobs.forget(id);
  }

  /** Called before the jobs are stopped. Ends running set-up commands. */
  stop(): Promise<void> {
    return this.#creator.stop();
  }

  list(query: ListQuery): Promise<LaneList> {
    return this.#views.list(query);
  }

  get(id: string): Promise<Lane> {
    return this.#views.get(id, true);
  }

  ofSession(session: string): Promise<Lane> {
    const place = this.#deps.places().find(({ id }) => id === session);
    if (!place) throw new GantryError("no_such_session", `There is no session ${session}.`);
    return this.#views.at(place.cwd, place.lane);
  }

  async create(body: CreateLane): Promise<{ lane: Lane; created: boolean }> {
    const { record, created } = await this.#creator.create(body);
    if (created && record.namedBy === "prompt" && body.prompt !== undefined)
      void this.#improveName(record, body.prompt, body.agent);
    return { lane: await this.#views.present(record, created), created };
  }

  async patch(id: string, { name, archived }: PatchLane): Promise<Lane> {
    const record = this.#require(id);
    if (record.state !== "ready" && record.state !== "archived") {
      throw new GantryError("conflict", `The lane ${record.name} is not ready: ${record.state}.`);
    }
    if (name !== undefined && name !== record.name) await this.#renameLane(record, name, "hand");
    if (archived !== undefined) this.#records.change(id, { state: archived ? "archived" : "ready" });
    return this.#views.present(this.#require(id));
  }

  async remove(id: string, { force = false }: { force?: boolean }): Promise<LaneRemoved> {
    return this.#remover.remove(this.#require(id), force);
  }

  diff(id: string, query: { file?: string; limit?: number }): Promise<LaneDiff> {
    return this.#views.diff(id, query);
  }

  setupLog(id: string): SetupLog {
    return { ...this.#require(id).setup, ...setupOutput(this.#creator.logPath(id)) };
  }

  /** Starts the set-ups that waited for trust and have it now. */
  restartTrustedSetups(): Promise<void> {
    return this.#creator.restartTrusted();
  }

  async setUp(id: string): Promise<SetupLog> {
    await this.#creator.restartSetup(this.#require(id));
    return this.setupLog(id);
  }

  async suggestions(cwd?: string): Promise<LaneSuggestion[]> {
    const { lanes } = await this.list({ ...(cwd === undefined ? {} : { cwd }), archived: "any", refresh: true });
    const { idleDays } = this.#deps.config.lanes;
    const places = this.#deps.places();
    const all = lanes.map((lane) => {
      const sessions = this.#views.sessions(lane, places);
      return suggestionFor({ lane, sessions, idleDays, now: Date.parse(this.#deps.now()) });
    });
    return all.filter((one) => one !== undefined);
  }

  async undos(cwd?: string): Promise<LaneUndo[]> {
    const repository = cwd === undefined ? undefined : await requireRepository(this.git, realFolder(cwd));
    return this.#remover.undos(repository?.commonDir);
  }

  async undo(id: string, ref?: string): Promise<Lane> {
    const data = await this.#remover.plan(id, this.#deps.config.lanes.ports, ref);
    const { repository: primary } = data.lane;
    const file = await readLaneFile(this.git, { commit: data.commit, primary }).catch(() => undefined);
    const record = await this.#creator.recreate({ ...data, ...(file ? { file } : {}) });
    return this.#views.present(record, true);
  }

  record(id: string): LaneRecord | undefined {
    return this.#records.get(id);
  }

  at(path: string): LaneRecord | undefined {
    return this.#records.at(path);
  }

  async find(lane: string, cwd?: string): Promise<LaneRecord> {
    const byId = this.#records.get(lane);
    if (byId) return byId;
    const repository = cwd === undefined ? undefined : await this.#facts.repository(realFolder(cwd));
    const candidates = repository
      ? this.#records.ofRepository(repository.commonDir)
      : cwd === undefined
        ? this.#records.list()
        : [];
    const found = candidates.filter(({ name }) => name.toLowerCase() === lane.toLowerCase());
    const [first] = found;
    if (!first) throw noSuchLane(lane);
    if (found.length === 1) return first;
    throw new GantryError("conflict", `${found.length} lanes are named ${lane}, in different repositories.`, {
      remedy: "Name the repository with `cwd`, or use the lane's id.",
      details: { lanes: found.map(({ id, repository: place }) => ({ id, repository: place })) },
    });
  }

  /** Waits until the lane is created. Unarchives an archived one. */
  async waitForUsable(id: string): Promise<LaneRecord> {
    const record = await this.#records.until(id, (one) => one?.state !== "creating");
    if (!record) throw noSuchLane(id);
    if (record.state === "failed") {
      throw new GantryError("lane_gone", `The lane ${record.name} could not be created.`, { details: record.error });
    }
    if (record.state === "archived") this.#records.change(id, { state: "ready" });
    return record;
  }

  waitForPlaced(id: string): Promise<void> {
    return this.#creator.waitForPlaced(id);
  }

  async waitForSettled(id: string): Promise<LaneRecord> {
    const done = await this.#records.until(
      id,
      (one) => one === undefined || (one.state !== "creating" && one.setup.state !== "running"),
    );
    if (!done) throw noSuchLane(id);
    return done;
  }

  async suggestName(id: string, name: string): Promise<boolean> {
    const record = this.#records.get(id);
    const requested = [...name.trim()].slice(0, LONGEST_NAME).join("").trim();
    if (!record || record.namedBy === "hand" || record.state !== "ready" || requested === "") return false;
    const others = this.#records.ofRepository(record.commonDir).filter((one) => one.id !== id);
    const free = freeName(requested, (one) => others.some((other) => other.name.toLowerCase() === one.toLowerCase()));
    await this.#renameLane(record, free, "model");
    return true;
  }

  surroundings(lane: string | undefined): Record<string, string> {
    const record = lane === undefined ? undefined : this.#records.get(lane);
    if (!record) return {};
    const { id, path, ports } = record;
    const range = ports && {
      GANTRY_PORT: `${ports.start}`,
      GANTRY_PORT_START: `${ports.start}`,
      GANTRY_PORT_END: `${ports.end}`,
    };
    return { GANTRY_LANE: id, GANTRY_LANE_PATH: path, ...range };
  }

  /** The facts about a lane for the agents in it; `undefined` without a lane. */
  instructions(lane: string | undefined): string | undefined {
    const record = lane === undefined ? undefined : this.#records.get(lane);
    if (!record) return undefined;
    const others = this.#records.ofRepository(record.commonDir);
    return laneInstructions(
      record,
      others.filter(({ id, state }) => id !== record.id && state === "ready"),
    );
  }

  async #improveName(lane: LaneRecord, prompt: string, agent: string | undefined): Promise<void> {
    const better = await this.#deps.betterName?.(lane, prompt, agent);
    // The lane keeps its first name when the rename fails.
    if (better !== undefined) await this.suggestName(lane.id, better).catch(() => false);
  }

  async #renameLane(record: LaneRecord, name: string, by: "hand" | "model"): Promise<void> {
    await renameLane(this.git, this.#records, record, name, by, this.#deps.config.lanes.branchPrefix);
    this.#facts.forget(record.repository, record.path);
  }

  /** Throws `no_such_lane`, and `unsupported` for a primary lane. */
  #require(id: string): LaneRecord {
    const record = this.#records.get(id);
    if (record) return record;
    if (!id.startsWith("lan_primary_")) throw noSuchLane(id);
    throw new GantryError("unsupported", "The primary lane is the repository itself. Gantry does not change it.");
  }
}
