import type { Check, Comparison, CreateLaunch, Launch, RunCheck } from "@gantry/protocol";

/**
 * One prompt for several agents, each in a separate lane. Every method throws `GantryError` for what a client did
 * wrong; a launch that is refused has made nothing.
 */
export interface LaunchService {
  /** `created` is false when the same id and body were given before. */
  create(body: CreateLaunch): Promise<{ launch: Launch; created: boolean }>;
  /** The newest first. */
  list(): Launch[];
  get(id: string): Launch;
  /** Resolves when its turns are interrupted and what nothing was sent to is gone. `forget`: it is no longer listed. */
  cancel(id: string, forget: boolean): Promise<Launch>;
  compare(id: string, patch: boolean): Promise<Comparison>;
  /** Lanes by id, or by name within the repository of `cwd`. */
  compareLanes(lanes: readonly string[], patch: boolean, cwd?: string): Promise<Comparison>;
  check(id: string, body: RunCheck): Promise<Check[]>;
}
