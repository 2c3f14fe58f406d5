import type { FaultProtocol } from "@gantry/testkit";

/** A combination of switches, and the outcomes of the turn that are truthful: `outcome` or `outcome:category`. */
export type FaultCase = {
  protocol: FaultProtocol;
  switches: readonly string[];
  expect: readonly string[];
  /** Stop the turn while it runs. */
  stop?: true;
  /** Large volumes run alone, so that a delay of the daemon has one cause. */
  heavy?: true;
};

export function nameOf({ protocol, switches }: FaultCase): string {
  return `${protocol}: ${switches.join(" + ")}`;
}
