import { mkdtempSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Adoptable, GantryError, type Lane, type LaneDiff, type LaneList } from "@gantry/protocol";
import { mergeBase } from "../git/commits.ts";
import { treeDiff } from "../git/diff.ts";
import type { Git } from "../git/git.ts";
import type { Repository } from "../git/repository.ts";
import { scratchObjects, worktreeTree } from "../git/snapshot.ts";
import type { LaneRecord } from "../port.ts";
import type { LaneRecords } from "../records.ts";
import { DiskUsage } from "./disk-usage.ts";
import type { GitFacts } from "./git-facts.ts";
import { presentLane, tipOf } from "./present-lane.ts";
import { presentPlain, presentPrimary, primaryId } from "./present-primary.ts";
import { type SessionPlace, sessionsIn } from "./session-places.ts";

export type ViewDeps = { git: Git; facts: GitFacts; records: LaneRecords; places: () => SessionPlace[] };

export type ListQuery = { cwd?: string; repository?: string; archived?: boolean | "any"; refresh?: boolean };

const DIFF_BYTES = 1024 * 1024;
/** At most this many folders of sessions are searched for repositories. */
const MOST_FOLDERS = 100;

/** Lanes as clients see them. */
export class LaneViews {
  readonly #deps: ViewDeps;
  readonly disk = new DiskUsage();
  /** Folders of primary lanes that were shown, by id. */
  readonly #shown = new Map<string, string>();

  constructor(deps: ViewDeps) {
    this.#deps = deps;
  }

  async list({ cwd, repository, archived = false, refresh }: ListQuery): Promise<LaneList> {
    const place = cwd ?? repository;
    const repositories =
      place === undefined ? await this.#listRepositories() : [await this.#repository(realFolder(place), refresh)];
    if (place !== undefined && !repositories[0])
      return { lanes: [this.#presentFolder(realFolder(place))], adoptable: [] };
    const found = repositories.filter((one) => one !== undefined);
    const each = await Promise.all(found.map((one) => this.#ofRepository(one, archived, refresh)));
    return { lanes: each.flatMap(({ lanes }) => lanes), adoptable: each.flatMap(({ adoptable }) => adoptable) };
  }

  async get(id: string, refresh = false): Promise<Lane> {
    const record = this.#deps.records.get(id);
    if (record) {
      if (refresh) await this.#deps.facts.renew(record.repository).catch(() => undefined);
      return this.present(record, refresh);
    }
    const folder = await this.#primaryFolder(id);
    if (folder === undefined) throw noSuchLane(id);
    return this.#primaryAt(folder, refresh);
  }

  /** The lane that contains a folder, including a primary lane or plain folder. */
  async at(cwd: string, lane?: string): Promise<Lane> {
    const record = lane === undefined ? this.#deps.records.at(cwd) : this.#deps.records.get(lane);
    if (record) return this.present(record);
    if (lane !== undefined) throw noSuchLane(lane);
    return this.#primaryAt(realFolder(cwd));
  }

  present(record: LaneRecord, refresh = false): Promise<Lane> {
    const { facts } = this.#deps;
    const disk = this.disk.bytes(record.path);
    return presentLane(facts, record, { sessions: this.sessions(record).map(({ id }) => id), disk, refresh });
  }

  sessions(lane: { id: string; path: string }, places = this.#deps.places()): SessionPlace[] {
    return sessionsIn(lane, this.#deps.records.list(), places);
  }

  async diff(id: string, { file, limit = DIFF_BYTES }: { file?: string; limit?: number }): Promise<LaneDiff> {
    const lane = await this.get(id, true);
    const { git } = this.#deps;
    const { path } = lane;
    const from = await this.#comparedWith(lane);
    const objects = mkdtempSync(join(tmpdir(), "gantry-objects-"));
    try {
      const to = await worktreeTree(git, path, objects);
      const env = await scratchObjects(git, path, objects);
      const trees = { from, to, most: limit, ...(file === undefined ? {} : { only: file }) };
      const { files, patch, left } = await treeDiff(git, path, trees, { env });
      const sum = (key: "additions" | "deletions") => files.reduce((total, one) => total + (one[key] ?? 0), 0);
      const diff = { lane: id, from, files, additions: sum("additions"), deletions: sum("deletions"), patch, left };
      return left.length === 0 ? diff : { ...diff, notice: leftOut(left.length, limit) };
    } finally {
      rmSync(objects, { recursive: true, force: true });
    }
  }

  async #comparedWith(lane: Lane): Promise<string> {
    const { git, facts } = this.#deps;
    if (lane.missing.length > 0 && lane.head === undefined)
      throw new GantryError("unsupported", lane.missing.join(" "));
    const head = lane.head ?? EMPTY_TREE;
    if (lane.kind === "primary" || !lane.base) return head;
    const tip = tipOf(lane.base, await facts.tips(lane.repository));
    return (await mergeBase(git, lane.path, head, tip)) ?? lane.base.commit;
  }

  /** The repositories of all lanes and of all session folders. */
  async #listRepositories(): Promise<Repository[]> {
    const { records, places } = this.#deps;
    const folders = new Set([...records.list().map(({ repository }) => repository), ...places().map(({ cwd }) => cwd)]);
    const found = await Promise.all(
      [...folders].slice(0, MOST_FOLDERS).map((one) => this.#repository(one).catch(() => undefined)),
    );
    const byPlace = new Map(found.filter((one) => one !== undefined).map((one) => [one.commonDir, one]));
    return [...byPlace.values()].sort((a, b) => (a.primary < b.primary ? -1 : 1));
  }

  #repository(folder: string, refresh = false): Promise<Repository | undefined> {
    return this.#deps.facts.repository(folder, refresh);
  }

  async #ofRepository(repository: Repository, archived: boolean | "any", refresh = false): Promise<LaneList> {
    const { facts, records } = this.#deps;
    if (refresh) await facts.renew(repository.primary).catch(() => undefined);
    const all = records.ofRepository(repository.commonDir);
    const selected = all.filter(({ state }) => archived === "any" || (state === "archived") === archived);
    const primary = archived === true ? [] : [await this.#primary(repository, refresh)];
    const lanes = await Promise.all(selected.map((record) => this.present(record, refresh)));
    const trees = await facts.worktrees(repository.primary);
    const unknown = trees.slice(1).filter((tree) => !tree.gone && !all.some(({ path }) => path === tree.path));
    const adoptable = unknown.map(
      ({ path, branch, head, locked }): Adoptable => ({ repository: repository.primary, path, branch, head, locked }),
    );
    return { lanes: [...primary, ...lanes], adoptable };
  }

  #primary(repository: Repository, refresh = false): Promise<Lane> {
    const id = primaryId(repository.commonDir);
    this.#shown.set(id, repository.primary);
    const sessions = this.sessions({ id, path: repository.primary }).map((one) => one.id);
    return presentPrimary(this.#deps.facts, repository, { sessions, refresh });
  }

  async #primaryAt(folder: string, refresh = false): Promise<Lane> {
    const repository = await this.#repository(folder, refresh);
    if (refresh && repository) await this.#deps.facts.renew(repository.primary).catch(() => undefined);
    return repository ? this.#primary(repository, refresh) : this.#presentFolder(folder);
  }

  #presentFolder(folder: string): Lane {
    const id = primaryId(folder);
    this.#shown.set(id, folder);
    return presentPlain(
      folder,
      this.sessions({ id, path: folder }).map((one) => one.id),
    );
  }

  async #primaryFolder(id: string): Promise<string | undefined> {
    const shown = this.#shown.get(id);
    if (shown !== undefined) return shown;
    const known = (await this.#listRepositories()).find(({ commonDir }) => primaryId(commonDir) === id);
    return known?.primary ?? this.#deps.places().find(({ cwd }) => primaryId(cwd) === id)?.cwd;
  }
}

/** Git's empty tree, the comparison for a repository without commits. */
const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

function leftOut(count: number, limit: number): string {
  return `The patch is limited to ${limit} bytes and omits ${count} ${count === 1 ? "file" : "files"}. Request one file with \`file\`, or a larger patch with \`limit\`.`;
}

export function noSuchLane(id: string): GantryError {
  return new GantryError("no_such_lane", `There is no lane ${id}.`, { remedy: "`gantry lanes` lists them." });
}

/** The folder's real path. Throws `invalid`. */
export function realFolder(path: string): string {
  try {
    const real = realpathSync(path);
    if (path.startsWith("/") && statSync(real).isDirectory()) return real;
  } catch {
    // Reported below.
  }
  throw new GantryError("invalid", `${path} is not a folder.`, { remedy: "Use the absolute path of a folder." });
}
