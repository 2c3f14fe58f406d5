import type { Bench } from "../harness/bench.ts";
import type { Setting } from "../harness/setting.ts";
import type { Target } from "../targets/target.ts";

/** One thing that a person does with an agent, and the proof that it happened. */
export type Scenario = {
  name: string;
  /** For people: what works when this passes. */
  title: string;
  setting?: Setting;
  /** The agent tells no tokens of single turns here, so that they need not be billed. */
  unbilled?: boolean;
  /** For what only some agents have; the others are left out of the table's row. */
  appliesTo?(target: Target): boolean;
  /** Throws when something is not as it should be. */
  run(bench: Bench): Promise<void>;
  /** In place of `run` for an agent that cannot do it: is that said, and nothing lost in silence? */
  refused?(bench: Bench): Promise<void>;
};
