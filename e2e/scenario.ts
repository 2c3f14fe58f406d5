import type { Bench } from "./harness.ts";
import type { Target } from "./target.ts";

/** What is different from a daemon with default settings and a model that answers. */
export type Setting = {
  /** `config.yml` of the daemon. */
  config?: Record<string, unknown>;
  /** The agent's provider is a port on which nobody listens. */
  modelDown?: boolean;
  /** The agent has no key. */
  keyless?: boolean;
  /** The agent's program lacks its main channel. */
  fallback?: boolean;
  /**
   * More for a configuration file of the agent's, by agent: lines at its top, or settings for one that is JSON. The path
   * is from its home on.
   */
  agentConfig?: Readonly<Record<string, { file: string } & ({ lines: string } | { settings: object })>>;
  env?: Record<string, string>;
};

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
