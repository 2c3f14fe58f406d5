import type { FaultSwitch, FaultSwitches } from "./switch.ts";
import { answerSwitches } from "./switches/answers.ts";
import { lineSwitches } from "./switches/lines.ts";
import { processSwitches } from "./switches/processes.ts";
import { replySwitches } from "./switches/replies.ts";
import { requestSwitches } from "./switches/requests.ts";
import { updateSwitches } from "./switches/updates.ts";

/** Every switch of the fault agent, by group. */
export const faultGroups = {
  answers: answerSwitches,
  updates: updateSwitches,
  requests: requestSwitches,
  lines: lineSwitches,
  replies: replySwitches,
  processes: processSwitches,
} satisfies Record<string, FaultSwitches>;

export type ActiveSwitch = { name: string; argument: string; group: string; fault: FaultSwitch };

/** Parses `name` or `name:argument`. Throws for an unknown name. */
export function readSwitch(spec: string): ActiveSwitch {
  const [name = "", ...rest] = spec.split(":");
  for (const [group, faults] of Object.entries(faultGroups) as [string, FaultSwitches][]) {
    const fault = Object.hasOwn(faults, name) ? faults[name] : undefined;
    if (fault) return { name, argument: rest.join(":"), group, fault };
  }
  throw new Error(`Unknown switch "${name}".`);
}
