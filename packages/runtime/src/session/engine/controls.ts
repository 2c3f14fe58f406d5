import type { Output } from "../../agents/contract.ts";
import type { SessionStep } from "./step.ts";

type Reported = Extract<Output, { kind: "controls" }>;

/** Records what the agent reports of its native controls, if it differs from the last report. */
export function reportControls(step: SessionStep, { values, all, choices, plugins }: Reported): void {
  const { view } = step;
  const patch = {
    ...patchIfChanged("controlsApplied", view.controlsApplied, { ...(all ? {} : view.controlsApplied), ...values }),
    ...(choices ? patchIfChanged("controlChoices", view.controlChoices, { ...view.controlChoices, ...choices }) : {}),
    ...(plugins ? patchIfChanged("plugins", view.plugins, plugins) : {}),
  };
  if (Object.keys(patch).length === 0) return;
  step.emit("session.updated", { patch, reason: "reported by the agent" });
}

/** An absent value and an empty one are the same. */
function patchIfChanged<K extends string, T extends object>(key: K, known: T | undefined, next: T): { [P in K]?: T } {
  const before = JSON.stringify(known ?? (Array.isArray(next) ? [] : {}));
  return (before === JSON.stringify(next) ? {} : { [key]: next }) as { [P in K]?: T };
}
