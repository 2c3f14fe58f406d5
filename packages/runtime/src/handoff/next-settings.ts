import type { AgentRow, HandoffBody, Mode, SessionView } from "@gantry/protocol";
import { appliedMode, unenforcedNotice } from "../agents/applied-mode.ts";
import type { Agent } from "../agents/contract.ts";

/** The settings of the next agent, and those it does not support. */
export type NextSettings = {
  model?: string;
  mode: Mode;
  modeApplied: Mode;
  effort?: string;
  /** Unsupported settings, as notices. */
  dropped: string[];
};

/**
 * The mode stays, or becomes the nearest lower one that the agent has. The model is the requested one, or the agent's
 * default; an effort that the model does not support is dropped.
 */
export function nextSettings(
  view: SessionView,
  agent: Agent,
  models: AgentRow["models"]["items"],
  body: Pick<HandoffBody, "model" | "mode" | "effort">,
): NextSettings {
  const dropped: string[] = [];
  const mode = body.mode ?? view.mode;
  const modeApplied = appliedMode(agent, mode);
  if (modeApplied !== mode) dropped.push(`${agent.name} has no mode ${mode}; it works in ${modeApplied}.`);
  const warning = unenforcedNotice(agent, modeApplied);
  if (warning) dropped.push(warning.text);
  const same = view.agent === agent.id;
  const model = body.model ?? (same ? view.model : undefined);
  const wanted = body.effort ?? view.effort;
  const efforts = models.find(({ id, default: standard }) => (model === undefined ? standard : id === model))?.efforts;
  const effort = wanted !== undefined && (same || efforts?.includes(wanted)) ? wanted : undefined;
  if (wanted !== undefined && effort === undefined)
    dropped.push(`${agent.name} does not support the effort ${wanted}.`);
  return { ...(model ? { model } : {}), mode, modeApplied, ...(effort ? { effort } : {}), dropped };
}
