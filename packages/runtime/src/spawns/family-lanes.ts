import type { CreateLane, Lane, SessionView } from "@gantry/protocol";
import type { LaneRoom, LaneService } from "../lanes/port.ts";
import type { Records, Store } from "../log/port.ts";
import type { Family } from "./family.ts";
import { notPermitted, rungOf } from "./rules.ts";

type Lanes = Pick<LaneService, "create"> & Pick<LaneRoom, "find">;

/** What an agent may say of a lane that it makes: not which branch of a person's, nor what is to be adopted. */
const FIELDS: ReadonlySet<string> = new Set([
  "id",
  "cwd",
  "name",
  "prompt",
  "base",
  "setup",
] satisfies (keyof CreateLane)[]);

/** Lanes that sessions make for those that they begin. */
export class FamilyLanes {
  readonly #lanes: () => Lanes;
  readonly #family: Family;
  readonly #made: Records<{ lane: string; root: string }>;

  constructor(store: Store, family: Family, lanes: () => Lanes) {
    this.#lanes = lanes;
    this.#family = family;
    this.#made = store.records("spawn-lane");
  }

  /** `folder`: the one in which it is asked for, checked already. */
  async create(caller: SessionView, body: CreateLane, folder: string): Promise<{ lane: Lane; created: boolean }> {
    const strange = Object.keys(body).find((key) => !FIELDS.has(key));
    if (strange) throw notPermitted(`An agent may not set \`${strange}\` of a lane.`, "Leave it out, or ask a person.");
    if (rungOf(caller) === "plan") {
      throw notPermitted(`${caller.id} may only plan, and a lane is a change on disk.`, "Ask a person.");
    }
    if (body.id !== undefined && this.#made.get(body.id)) this.require(caller.id, body.id);
    // The set-up is a command that nobody is asked about.
    const setup = rungOf(caller) === "full-auto" ? body.setup : false;
    const made = await this.#lanes().create({ ...body, cwd: folder, ...(setup === undefined ? {} : { setup }) });
    if (made.created) this.#made.put(made.lane.id, { lane: made.lane.id, root: rootOf(caller) });
    else this.require(caller.id, made.lane.id);
    return made;
  }

  /** The lane that a new session names. Throws `not_permitted`, or `no_such_lane`. */
  async find(caller: SessionView, name: string): Promise<string> {
    const { id } = await this.#lanes().find(name, caller.cwd);
    if (id === caller.lane || this.#made.get(id)?.root === rootOf(caller)) return id;
    throw notPermitted(
      `${caller.id} works in another lane than ${name}, and did not make that one.`,
      "Make a new lane.",
    );
  }

  /** Throws `not_permitted` unless it is a lane of the caller or of one below it, or was made by one of them. */
  require(caller: string, lane: string): void {
    const view = this.#family.view(caller);
    const near = [view, ...this.#family.below(caller)].some((one) => one?.lane === lane);
    if (near || (view && this.#made.get(lane)?.root === rootOf(view))) return;
    throw notPermitted(`${lane} is no lane of ${caller}, nor of one that it began.`);
  }
}

function rootOf({ id, spawn }: SessionView): string {
  return spawn?.root ?? id;
}
