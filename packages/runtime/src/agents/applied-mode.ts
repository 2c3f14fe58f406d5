import {
  type ControlValues,
  type Draft,
  GantryError,
  isModeAbove,
  isModeWithin,
  ladder,
  type Mode,
  permitControls,
  requiredMode,
  substituteMode,
} from "@gantry/protocol";
import type { Agent } from "./contract.ts";

/** The modes in which the agent can run. Every agent can be left to its own configuration. */
export function offeredModes(agent: Agent): Mode[] {
  return [...ladder.filter((rung) => agent.modes[rung] !== undefined), "inherit"];
}

/** The mode in which the agent runs when `wanted` is requested. */
export function appliedMode(agent: Agent, wanted: Mode): Mode {
  return substituteMode(wanted, offeredModes(agent));
}

/**
 * The warning for a session whose agent lacks the requested mode, or cannot enforce `applied`. It is recorded before the
 * first turn. A lower mode needs no warning without a reason in the descriptor.
 */
export function modeNotice(agent: Agent, wanted: Mode, applied: Mode): Draft<"notice">["data"] | undefined {
  const rung = appliedMode(agent, wanted);
  const reason = agent.lacks?.[wanted];
  const unenforced = unenforcedNotice(agent, applied);
  if (rung === wanted || (!reason && !isModeAbove(rung, wanted) && rung !== "inherit")) return unenforced;
  const fallback =
    rung === "inherit" ? "Its own configuration decides what it may do." : `${rung} is its strictest mode.`;
  const text = `${agent.name}: ${wanted} is not available, so the session runs in ${rung}. ${reason ?? fallback}`;
  return { kind: "mode", severity: "warning", text: unenforced ? `${text} ${unenforced.text}` : text };
}

/** The warning for a session in a mode that cannot be enforced; it is recorded before the first turn. */
export function unenforcedNotice(agent: Agent, mode: Mode): Draft<"notice">["data"] | undefined {
  const reason = agent.unenforced?.[mode];
  if (!reason) return undefined;
  return { kind: "mode", severity: "warning", text: `${agent.name}: ${mode} cannot be enforced. ${reason}` };
}

/** The mode in which the agent runs with these controls: a control may allow less than the mode, never more. */
export function modeWithControls(agent: Agent, mode: Mode, controls: ControlValues = {}): Mode {
  const rung = appliedMode(agent, mode);
  if (!agent.controls || rung === "inherit" || rung === "plan") return rung;
  const { values } = permitControls(agent.controls, rung, controls);
  const needs = requiredMode(agent.controls, rung, values);
  if (needs === undefined || needs === "inherit") return rung;
  const lower = ladder[Math.max(ladder.indexOf(needs), ladder.indexOf("ask"))] ?? rung;
  return isModeWithin(lower, rung) ? lower : rung;
}

/**
 * Throws `invalid` if the agent lacks one of the controls or choices, or if the mode does not permit them together. `asked`:
 * the ids that the request names; the others may be withheld.
 */
export function requireControls(
  agent: Agent,
  mode: Mode,
  controls: ControlValues | undefined,
  asked: readonly string[] = Object.keys(controls ?? {}),
): void {
  const rung = appliedMode(agent, mode);
  const refused = permitControls(agent.controls, rung, controls ?? {}).withheld.find(({ id }) => asked.includes(id));
  if (!refused) return;
  const control = agent.controls?.items.find(({ id }) => id === refused.id);
  const names = agent.controls?.items.map(({ id }) => id).join(", ");
  const choices = control?.choices.map(({ id }) => id).join(", ");
  const isKnown = control && (control.open || control.choices.some(({ id }) => id === refused.value));
  const remedy = !control
    ? names
      ? `Use one of: ${names}.`
      : `${agent.name} has no native controls. Leave them out.`
    : isKnown
      ? "Change the mode in the same request, or choose something that the mode permits."
      : `Use one of: ${choices}.`;
  throw new GantryError("invalid", `${agent.name}: ${refused.reason}`, { remedy });
}

/** The notice about requested controls that a new mode does not permit. */
export function withheldNotice(
  agent: Agent,
  mode: Mode,
  controls?: ControlValues,
): Draft<"notice">["data"] | undefined {
  const { withheld } = permitControls(agent.controls, appliedMode(agent, mode), controls ?? {});
  if (withheld.length === 0) return undefined;
  const reasons = withheld.map(({ reason }) => reason).join(" ");
  return { kind: "mode", severity: "info", text: `${agent.name} runs without them: ${reasons}` };
}
