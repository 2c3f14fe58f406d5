import {
  type AgentRow,
  type ControlValues,
  type HandoffBody,
  isModeAbove,
  type Mode,
  type SessionView,
} from "@gantry/protocol";
import { appliedMode, modeWithControls, unenforcedNotice } from "../agents/applied-mode.ts";
import type { Agent } from "../agents/contract.ts";

/** The settings of the next agent, and those it does not support. */
export type NextSettings = {
  model?: string;
  mode: Mode;
  modeApplied: Mode;
  effort?: string;
  controls?: ControlValues;
  /** Unsupported settings, as notices. */
  dropped: string[];
};

/**
 * The mode stays, or becomes the nearest lower one that the agent has, else its strictest. The model is the requested
 * one, or the agent's default; an effort that the model does not support is dropped. Controls belong to one agent, so
 * those of another one are not passed on.
 */
export function nextSettings(
  view: SessionView,
  agent: Agent,
  models: AgentRow["models"]["items"],
  body: Pick<HandoffBody, "model" | "mode" | "effort" | "controls">,
): NextSettings {
  const dropped: string[] = [];
  const mode = body.mode ?? view.mode;
  const same = view.agent === agent.id;
  const controls = body.controls ?? (same ? view.controls : undefined);
  const rung = appliedMode(agent, mode);
  const modeApplied = modeWithControls(agent, mode, controls);
  const excess = isModeAbove(rung, mode) ? ", its strictest one" : "";
  if (rung !== mode) dropped.push(`${agent.name} has no mode ${mode}; it works in ${rung}${excess}.`);
  const warning = unenforcedNotice(agent, modeApplied);
  if (warning) dropped.push(warning.text);
  const model = body.model ?? (same ? view.model : undefined);
  const wanted = body.effort ?? view.effort;
  const efforts = models.find(({ id, default: standard }) => (model === undefined ? standard : id === model))?.efforts;
  const effort = wanted !== undefined && (same || efforts?.includes(wanted)) ? wanted : undefined;
  if (wanted !== undefined && effort === undefined)
    dropped.push(`${agent.name} does not support the effort ${wanted}.`);
  const chosen = { ...(model ? { model } : {}), ...(effort ? { effort } : {}), ...(controls ? { controls } : {}) };
  return { ...chosen, mode, modeApplied, dropped };
}
