import type { ConflictMatrix, Lane, LaneConflict, LaneConflicts } from "@gantry/protocol";
import { GantryError } from "@gantry/protocol";
import type { Git } from "../../lanes/git/git.ts";
import type { LaneService } from "../../lanes/port.ts";
import { landingOrder } from "./order.ts";
import { type Standing, Standings } from "./standing.ts";
import { type Trial, tryMerge } from "./trial.ts";

const MOST_TRIALS = 5000;

/**
 * Which lanes get into each other's way and into that of the base, uncommitted changes included. A trial is kept under
 * the two commits it was made of: as long as nothing changes in either lane, asking again costs a look at their status.
 */
export class Radar {
  readonly #git: Git;
  readonly #lanes: Pick<LaneService, "list" | "get">;
  readonly #standings: Standings;
  readonly #trials = new Map<string, Promise<Trial>>();

  constructor({ git, lanes }: { git: Git; lanes: Pick<LaneService, "list" | "get"> }) {
    this.#git = git;
    this.#lanes = lanes;
    this.#standings = new Standings(git);
  }

  /** How many merges have been tried so far, and not been known already. */
  tried = 0;

  async ofLane(id: string): Promise<LaneConflicts> {
    const lane = await this.#lanes.get(id);
    const mine = await this.standing(lane);
    const others = (await this.#live(lane.repository)).filter((other) => other.id !== id);
    const standings = await this.#all(others);
    const [base, ...rest] = await Promise.all([
      this.withBase(mine),
      ...standings.map((other) => this.#between(mine, other)),
    ]);
    return { lane: id, conflicts: [...(base ? [base] : []), ...rest.filter((entry) => entry !== undefined)] };
  }

  async matrices(repository?: string): Promise<ConflictMatrix[]> {
    const lanes = await this.#live(repository);
    const repositories = [...new Set(lanes.map((lane) => lane.repository))].sort();
    return Promise.all(
      repositories.map((one) =>
        this.#matrix(
          one,
          lanes.filter((lane) => lane.repository === one),
        ),
      ),
    );
  }

  /** Throws `unsupported` for a lane without a commit. */
  async standing(lane: Lane): Promise<Standing> {
    const standing = await this.#standings.of(lane);
    if (standing) return standing;
    throw new GantryError("unsupported", `${lane.name} has no commit yet.`);
  }

  /** `undefined` for a lane without a base. */
  async withBase({ lane, tip, base, files, baseFiles }: Standing): Promise<LaneConflict | undefined> {
    if (!base) return undefined;
    const trial = await this.#try(lane.repository, base, tip);
    const name = lane.base?.ref ?? base.slice(0, 8);
    return { with: "base", name, ...told(trial), shared: sharedOf(files, baseFiles) };
  }

  async #matrix(repository: string, lanes: Lane[]): Promise<ConflictMatrix> {
    const standings = await this.#all(lanes);
    const bases = await Promise.all(standings.map((one) => this.withBase(one)));
    const couples = standings.flatMap((a, i) => standings.slice(i + 1).map((b) => [a, b] as const));
    const pairs = await Promise.all(
      couples.map(async ([a, b]) => {
        const { state, files, shared } = await this.#between(a, b);
        return { a: a.lane.id, b: b.lane.id, state, files, shared };
      }),
    );
    const candidates = standings.map(({ lane, files }, i) => ({
      lane: lane.id,
      name: lane.name,
      files,
      base: bases[i]?.state ?? ("unknown" as const),
    }));
    const clashes = pairs.filter(({ state }) => state === "conflict");
    return {
      repository,
      lanes: candidates.map(({ lane, name, files, base }, i) => ({
        lane,
        name,
        ...(bases[i] ? { base: bases[i].name } : {}),
        files: files.length,
        state: base,
        conflicts: bases[i]?.files ?? [],
      })),
      pairs,
      order: landingOrder(candidates, clashes),
    };
  }

  async #between(mine: Standing, other: Standing): Promise<LaneConflict> {
    const trial = await this.#try(mine.lane.repository, mine.tip, other.tip);
    const shared = sharedOf(mine.files, other.files);
    return { with: other.lane.id, name: other.lane.name, ...told(trial), shared };
  }

  #try(repository: string, one: string, other: string): Promise<Trial> {
    const key = [one, other].sort().join(":");
    const known = this.#trials.get(key);
    if (known) return known;
    if (this.#trials.size >= MOST_TRIALS) this.#trials.clear();
    this.tried++;
    const trial = tryMerge(this.#git, repository, one, other);
    this.#trials.set(key, trial);
    trial.catch(() => this.#trials.delete(key));
    return trial;
  }

  /** Lanes that work is done in; the primary one is where it is landed. */
  async #live(repository?: string): Promise<Lane[]> {
    const { lanes } = await this.#lanes.list(repository === undefined ? {} : { repository });
    return lanes.filter(({ kind, state, head }) => kind !== "primary" && state === "ready" && head !== undefined);
  }

  async #all(lanes: Lane[]): Promise<Standing[]> {
    const standings = await Promise.all(lanes.map((lane) => this.#standings.of(lane).catch(() => undefined)));
    return standings.filter((one) => one !== undefined);
  }
}

function told(trial: Trial): Pick<LaneConflict, "state" | "files" | "reason"> {
  const { state, files } = trial;
  return { state, files: [...files], ...(trial.state === "unknown" ? { reason: trial.reason } : {}) };
}

function sharedOf(mine: readonly string[], theirs: readonly string[]): string[] {
  const known = new Set(theirs);
  return mine.filter((path) => known.has(path));
}
