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
import { Git } from "./git/git.ts";
import { requireRepository } from "./git/repository.ts";
import { CREATE } from "./making/create-plan.ts";
import { readLaneFile } from "./making/lane-file.ts";
import { Making } from "./making/making.ts";
import { setupOutput } from "./making/setup.ts";
import { freeName, LONGEST_NAME } from "./names.ts";
import type { LaneRecord, LaneRoom, LaneService } from "./port.ts";
import { LaneRecords } from "./records.ts";
import { Removal } from "./removing/removal.ts";
import { REMOVE } from "./removing/remove-plan.ts";
import { rename } from "./renaming.ts";
import { Facts } from "./seeing/facts.ts";
import type { SessionPlace } from "./seeing/places.ts";
import { suggestionFor } from "./seeing/suggestions.ts";
import { LaneViews, type ListQuery, noSuchLane, realFolder } from "./seeing/views.ts";

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
  /** Lets go of a session's process, and of its turn where it has one. The session stays. */
  release: (session: string) => Promise<void>;
  /** A better name than the first words of the prompt, where somebody has one. Nobody waits for it. */
  betterName?: (prompt: string) => Promise<string | undefined>;
};

/** All lanes of the daemon. Its plans are registered when it is made; jobs are resumed after that. */
export class Lanes implements LaneService, LaneRoom {
  readonly git: Git;
  readonly #deps: LanesDeps;
  readonly #records: LaneRecords;
  readonly #facts: Facts;
  readonly #views: LaneViews;
  readonly #making: Making;
  readonly #removal: Removal;

  constructor(deps: LanesDeps) {
    const { store, places } = deps;
    this.#deps = deps;
    this.git = new Git(deps.env);
    this.#records = new LaneRecords(store);
    this.#facts = new Facts(this.git);
    const parts = { git: this.git, facts: this.#facts, records: this.#records };
    this.#views = new LaneViews({ ...parts, places });
    this.#making = new Making({
      ...deps,
      ...parts,
      env: (lane) => ({ ...deps.env, ...this.surroundings(lane) }),
      wasRemoved: (id) => this.#removal.wasRemoved(id),
      restored: (id) => this.#removal.restored(id),
    });
    this.#removal = new Removal({
      ...deps,
      ...parts,
      sessions: (lane) => this.#views.sessions(lane),
      logPath: (lane) => this.#making.logPath(lane),
    });
  }

  /** At boot, before jobs are resumed: jobs that are over have told all they had to tell. */
  tidy(): void {
    const { jobs } = this.#deps;
    const over = [CREATE, REMOVE]
      .flatMap((kind) => jobs.list(kind))
      .filter(({ state }) => state === "done" || state === "failed");
    for (const { id } of over) jobs.forget(id);
  }

  /** Before the jobs are stopped: ends set-ups that are under way. */
  stop(): Promise<void> {
    return this.#making.stop();
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
    const { record, created } = await this.#making.create(body);
    if (created && record.namedBy === "prompt" && body.prompt !== undefined)
      void this.#improveName(record.id, body.prompt);
    return { lane: await this.#views.present(record, created), created };
  }

  async patch(id: string, { name, archived }: PatchLane): Promise<Lane> {
    const record = this.#require(id);
    if (record.state !== "ready" && record.state !== "archived") {
      throw new GantryError("conflict", `The lane ${record.name} is not ready: ${record.state}.`);
    }
    if (name !== undefined && name !== record.name) await this.#rename(record, name, "hand");
    if (archived !== undefined) this.#records.change(id, { state: archived ? "archived" : "ready" });
    return this.#views.present(this.#require(id));
  }

  async remove(id: string, { force = false }: { force?: boolean }): Promise<LaneRemoved> {
    return this.#removal.remove(this.#require(id), force);
  }

  diff(id: string, query: { file?: string; limit?: number }): Promise<LaneDiff> {
    return this.#views.diff(id, query);
  }

  setupLog(id: string): SetupLog {
    return { ...this.#require(id).setup, ...setupOutput(this.#making.logPath(id)) };
  }

  async setUp(id: string): Promise<SetupLog> {
    await this.#making.setUpAgain(this.#require(id));
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
    return this.#removal.undos(repository?.commonDir);
  }

  async undo(id: string, ref?: string): Promise<Lane> {
    const data = await this.#removal.plan(id, this.#deps.config.lanes.ports, ref);
    const { repository: primary } = data.lane;
    const file = await readLaneFile(this.git, { commit: data.commit, primary }).catch(() => undefined);
    const record = await this.#making.again({ ...data, ...(file ? { file } : {}) });
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
    const among = repository
      ? this.#records.ofRepository(repository.commonDir)
      : cwd === undefined
        ? this.#records.list()
        : [];
    const found = among.filter(({ name }) => name.toLowerCase() === lane.toLowerCase());
    const [first] = found;
    if (!first) throw noSuchLane(lane);
    if (found.length === 1) return first;
    throw new GantryError("conflict", `There are ${found.length} lanes ${lane}, in different repositories.`, {
      remedy: "Say with `cwd` in which repository, or give the lane's id.",
      details: { lanes: found.map(({ id, repository: place }) => ({ id, repository: place })) },
    });
  }

  /** When it can be worked in; an archived one is brought back. */
  async usable(id: string): Promise<LaneRecord> {
    const record = await this.#records.until(id, (one) => one?.state !== "creating");
    if (!record) throw noSuchLane(id);
    if (record.state === "failed") {
      throw new GantryError("lane_gone", `The lane ${record.name} could not be made.`, { details: record.error });
    }
    if (record.state === "archived") this.#records.change(id, { state: "ready" });
    return record;
  }

  placed(id: string): Promise<void> {
    return this.#making.placed(id);
  }

  async settled(id: string): Promise<LaneRecord> {
    const done = await this.#records.until(
      id,
      (one) => one === undefined || (one.state !== "creating" && one.setup.state !== "running"),
    );
    if (!done) throw noSuchLane(id);
    return done;
  }

  async suggestName(id: string, name: string): Promise<boolean> {
    const record = this.#records.get(id);
    const wanted = [...name.trim()].slice(0, LONGEST_NAME).join("").trim();
    if (!record || record.namedBy === "hand" || record.state !== "ready" || wanted === "") return false;
    const others = this.#records.ofRepository(record.commonDir).filter((one) => one.id !== id);
    const free = freeName(wanted, (one) => others.some((other) => other.name.toLowerCase() === one.toLowerCase()));
    await this.#rename(record, free, "model");
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

  async #improveName(id: string, prompt: string): Promise<void> {
    const better = await this.#deps.betterName?.(prompt);
    // A name that cannot be had now is none worth telling of.
    if (better !== undefined) await this.suggestName(id, better).catch(() => false);
  }

  async #rename(record: LaneRecord, name: string, by: "hand" | "model"): Promise<void> {
    await rename(this.git, this.#records, record, name, by, this.#deps.config.lanes.branchPrefix);
    this.#facts.forget(record.repository, record.path);
  }

  /** Throws `no_such_lane`, and `unsupported` for a primary one, which is not Gantry's to change. */
  #require(id: string): LaneRecord {
    const record = this.#records.get(id);
    if (record) return record;
    if (!id.startsWith("lan_primary_")) throw noSuchLane(id);
    throw new GantryError("unsupported", "The primary lane is the repository itself: Gantry does not change it.");
  }
}
