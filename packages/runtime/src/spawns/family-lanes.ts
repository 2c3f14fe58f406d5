import type { CreateLane, Lane, LaneList, SessionView } from "@gantry/protocol";
import type { LaneRoom, LaneService } from "../lanes/port.ts";
import type { Records, Store } from "../log/port.ts";
import type { Family } from "./family.ts";
import { notPermitted, rungOf } from "./rights/rules.ts";

type Lanes = Pick<LaneService, "create" | "get" | "list"> & Pick<LaneRoom, "find">;

/** The fields of a lane that an agent may set. Branches of people and adoption are excluded. */
const FIELDS: ReadonlySet<string> = new Set([
  "id",
  "cwd",
  "name",
  "prompt",
  "base",
  "setup",
] satisfies (keyof CreateLane)[]);

/** Lanes that sessions create for sessions that they spawn. */
export class FamilyLanes {
  readonly #lanes: () => Lanes;
  readonly #family: Family;
  readonly #made: Records<{ lane: string; root: string }>;

  constructor(store: Store, family: Family, lanes: () => Lanes) {
    this.#lanes = lanes;
    this.#family = family;
    this.#made = store.records("spawn-lane");
  }

  /** `folder`: the folder of the request, already checked. */
  async create(caller: SessionView, body: CreateLane, folder: string): Promise<{ lane: Lane; created: boolean }> {
    const strange = Object.keys(body).find((key) => !FIELDS.has(key));
    if (strange) throw notPermitted(`An agent may not set \`${strange}\` of a lane.`, "Omit it, or ask a person.");
    if (rungOf(caller) === "plan") {
      throw notPermitted(`${caller.id} is in plan mode, and a lane changes the disk.`, "Ask a person.");
    }
    if (body.id !== undefined && this.#made.get(body.id)) this.require(caller.id, body.id);
    // The set-up is a command that no person has approved.
    const setup = rungOf(caller) === "full-auto" ? body.setup : false;
    const made = await this.#lanes().create({ ...body, cwd: folder, ...(setup === undefined ? {} : { setup }) });
    if (made.created) this.#made.put(made.lane.id, { lane: made.lane.id, root: rootOf(caller) });
    else this.require(caller.id, made.lane.id);
    return made;
  }

  /** The lane of a new session. Throws `not_permitted`, or `no_such_lane`. */
  async find(caller: SessionView, name: string): Promise<string> {
    const { id } = await this.#lanes().find(name, caller.cwd);
    if (id === caller.lane || this.#made.get(id)?.root === rootOf(caller)) return id;
    throw notPermitted(`${caller.id} works in another lane than ${name} and did not create it.`, "Create a new lane.");
  }

  /** Throws `not_permitted` unless the lane belongs to the caller or a descendant, or one of them created it. */
  require(caller: string, lane: string): void {
    if (this.has(caller, lane)) return;
    throw notPermitted(`${lane} belongs neither to ${caller} nor to a session that it spawned.`);
  }

  /** Whether the caller or a descendant works in the lane, or one of them created it. */
  has(caller: string, lane: string): boolean {
    const view = this.#family.view(caller);
    const near = [view, ...this.#family.listDescendants(caller)].some((one) => one?.lane === lane);
    return near || (view !== undefined && this.#made.get(lane)?.root === rootOf(view));
  }

  /** The lanes of the caller's family in the repository of a folder, or in all. Worktrees that are no lanes are left out. */
  async list(caller: string, query: Parameters<LaneService["list"]>[0]): Promise<LaneList> {
    const { lanes } = await this.#lanes().list(query);
    return { lanes: lanes.filter(({ id }) => this.has(caller, id)), adoptable: [] };
  }

  /** The ids of lanes, named by id or name. Throws `not_permitted` for one of another family, or `no_such_lane`. */
  resolve(caller: SessionView, names: readonly string[], cwd: string): Promise<string[]> {
    return Promise.all(
      names.map(async (name) => {
        const { id } = await this.#lanes().find(name, cwd);
        this.require(caller.id, id);
        return id;
      }),
    );
  }

  /** Throws `not_permitted` unless the family created the lane, and only sessions below the lead work in it. */
  async requireOfWorkers(lead: SessionView, lane: string): Promise<void> {
    const below = this.#family.listDescendants(lead.id);
    const isMade = this.#made.get(lane)?.root === rootOf(lead) && below.some((view) => view.lane === lane);
    const sessions = isMade ? (await this.#lanes().get(lane)).sessions : [];
    if (isMade && sessions.every((id) => below.some((view) => view.id === id))) return;
    throw notPermitted(`${lane} is not a lane in which only sessions that ${lead.id} started work.`);
  }
}

function rootOf({ id, spawn }: SessionView): string {
  return spawn?.root ?? id;
}
