import type { Bench } from "../harness/bench.ts";
import type { Setting } from "../harness/setting.ts";
import type { Target } from "../targets/target.ts";

/** One task that a person does with an agent, and the checks that it worked. */
export type Scenario = {
  name: string;
  /** The row title in the table: what works if the scenario passes. */
  title: string;
  setting?: Setting;
  /** Turns of this scenario need not have usage, because the agent reports no token counts per turn here. */
  unbilled?: boolean;
  /** For features that only some agents have; the cells of the others stay blank. */
  appliesTo?(target: Target): boolean;
  /** The time that it takes in addition to that of other scenarios. */
  extraMs?: number;
  /** Throws if a check fails. */
  run(bench: Bench): Promise<void>;
  /** Runs instead of `run` for an agent that cannot do it: checks that Gantry reports it and loses nothing. */
  checkRefusal?(bench: Bench): Promise<void>;
};
