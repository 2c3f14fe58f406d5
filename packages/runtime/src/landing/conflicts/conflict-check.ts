import type { ConflictMatrix, Lane, LaneConflict, LaneConflicts } from "@gantry/protocol";
import { GantryError } from "@gantry/protocol";
import type { Git } from "../../lanes/git/git.ts";
import type { LaneService } from "../../lanes/port.ts";
import { type LaneState, LaneStates } from "./lane-state.ts";
import { landingOrder } from "./order.ts";
import { type Trial, tryMerge } from "./trial-merge.ts";

const MOST_TRIALS = 5000;

/**
 * Finds conflicts between lanes and with their base, including uncommitted changes. A trial merge is cached by its two
 * commits: while neither lane changes, another call costs only a status of each.
 */
export class ConflictCheck {
  readonly #git: Git;
  readonly #lanes: Pick<LaneService, "list" | "get">;
  readonly #states: LaneStates;
  readonly #trials = new Map<string, Promise<Trial>>();

  constructor({ git, lanes }: { git: Git; lanes: Pick<LaneService, "list" | "get"> }) {
    this.#git = git;
    this.#lanes = lanes;
    this.#states = new LaneStates(git);
  }

  /** The number of trial merges so far, without cached ones. */
  tried = 0;

  async ofLane(id: string): Promise<LaneConflicts> {
    const lane = await this.#lanes.get(id);
    const mine = await this.stateOf(lane);
    const others = (await this.#listLive(lane.repository)).filter((other) => other.id !== id);
    const states = await this.#all(others);
    const [base, ...rest] = await Promise.all([
      this.withBase(mine),
      ...states.map((other) => this.#compareLanes(mine, other)),
    ]);
    return { lane: id, conflicts: [...(base ? [base] : []), ...rest.filter((entry) => entry !== undefined)] };
  }

  async matrices(repository?: string): Promise<ConflictMatrix[]> {
    const lanes = await this.#listLive(repository);
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
  async stateOf(lane: Lane): Promise<LaneState> {
    const state = await this.#states.of(lane);
    if (state) return state;
    throw new GantryError("unsupported", `${lane.name} has no commit yet.`);
  }

  /** `undefined` for a lane without a base. */
  async withBase({ lane, tip, base, files, baseFiles }: LaneState): Promise<LaneConflict | undefined> {
    if (!base) return undefined;
    const trial = await this.#try(lane.repository, base, tip);
    const name = lane.base?.ref ?? base.slice(0, 8);
    return { with: "base", name, ...resultOf(trial), shared: sharedOf(files, baseFiles) };
  }

  async #matrix(repository: string, lanes: Lane[]): Promise<ConflictMatrix> {
    const states = await this.#all(lanes);
    const bases = await Promise.all(states.map((one) => this.withBase(one)));
    const couples = states.flatMap((a, i) => states.slice(i + 1).map((b) => [a, b] as const));
    const pairs = await Promise.all(
      couples.map(async ([a, b]) => {
        const { state, files, shared } = await this.#compareLanes(a, b);
        return { a: a.lane.id, b: b.lane.id, state, files, shared };
      }),
    );
    const candidates = states.map(({ lane, files }, i) => ({
      lane: lane.id,
      name: lane.name,
      files,
      base: bases[i]?.state ?? ("unknown" as const),
    }));
    const landed = await Promise.all(states.map((one) => this.#isLanded(one)));
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
      order: landingOrder(
        candidates.filter((_, i) => !landed[i]),
        clashes,
      ),
    };
  }

  /** Whether a merge would change nothing, for example after the lane's content was squashed into its base. */
  async #isLanded({ lane, tip, base }: LaneState): Promise<boolean> {
    if (!base) return false;
    const trial = await this.#try(lane.repository, base, tip);
    if (trial.state !== "clean") return false;
    const { out } = await this.#git.read(lane.repository, ["rev-parse", `${base}^{tree}`]);
    return out.trim() === trial.tree;
  }

  async #compareLanes(mine: LaneState, other: LaneState): Promise<LaneConflict> {
    const trial = await this.#try(mine.lane.repository, mine.tip, other.tip);
    const shared = sharedOf(mine.files, other.files);
    return { with: other.lane.id, name: other.lane.name, ...resultOf(trial), shared };
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

  /** Lanes with work. The primary lane is the target. */
  async #listLive(repository?: string): Promise<Lane[]> {
    const { lanes } = await this.#lanes.list(repository === undefined ? {} : { repository });
    return lanes.filter(({ kind, state, head }) => kind !== "primary" && state === "ready" && head !== undefined);
  }

  async #all(lanes: Lane[]): Promise<LaneState[]> {
    const states = await Promise.all(lanes.map((lane) => this.#states.of(lane).catch(() => undefined)));
    return states.filter((one) => one !== undefined);
  }
}

function resultOf(trial: Trial): Pick<LaneConflict, "state" | "files" | "reason"> {
  const { state, files } = trial;
  return { state, files: [...files], ...(trial.state === "unknown" ? { reason: trial.reason } : {}) };
}

function sharedOf(mine: readonly string[], theirs: readonly string[]): string[] {
  const known = new Set(theirs);
  return mine.filter((path) => known.has(path));
}
