import { join } from "node:path";
import { GantryError, type Lane } from "@gantry/protocol";
import type { LaneService } from "../../lanes/port.ts";
import type { TestRepository } from "../../lanes/testing/test-repository.ts";

/** Real work trees of a real repository, with the parts of a lane that landing uses. */
export class PlainLanes implements Pick<LaneService, "list" | "get" | "remove"> {
  readonly #repository: TestRepository;
  readonly #lanes = new Map<string, Lane>();
  readonly removed: string[] = [];

  constructor(repository: TestRepository) {
    this.#repository = repository;
  }

  /** A lane with a branch of the same name, started from the tip of `main`. */
  add(name: string, sessions: string[] = []): Lane {
    const repository = this.#repository;
    const path = join(repository.top, "lanes", name);
    const commit = repository.git("rev-parse", "main");
    repository.git("worktree", "add", "-q", "-b", name, path, commit);
    const lane: Lane = {
      id: `lan_${name}`,
      name,
      kind: "worktree",
      repository: repository.path,
      path,
      branch: name,
      base: { ref: "main", commit },
      head: commit,
      state: "ready",
      dirty: false,
      changes: 0,
      ahead: 0,
      behind: 0,
      unpushed: 0,
      sessions,
      setup: { state: "none" },
      missing: [],
      notices: [],
    };
    this.#lanes.set(lane.id, lane);
    return lane;
  }

  async list() {
    return { lanes: [...this.#lanes.values()], adoptable: [] };
  }

  async get(id: string): Promise<Lane> {
    const lane = this.#lanes.get(id);
    if (!lane) throw new GantryError("no_such_lane", `There is no lane ${id}.`);
    return lane;
  }

  async remove(id: string) {
    this.removed.push(id);
    this.#lanes.delete(id);
    return { removed: true as const, notices: [] };
  }
}
