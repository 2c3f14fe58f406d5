import { type CreateSession, diffControls, type ResolvedDefaults } from "@gantry/protocol";
import type { Choices } from "../store/outgoing/last-choices.ts";

/** Where the choices of the form come from: the defaults of the folder, and what the user chose in this form. */
export type ChoiceSources = {
  defaults: ResolvedDefaults | undefined;
  touched: Partial<Choices>;
};

type Settings = Pick<CreateSession, "agent" | "model" | "mode" | "effort" | "controls">;

type OfAgent = Pick<Choices, "model" | "effort" | "controls">;

/**
 * The choices that the form of a new session shows, and those to send. Model, effort and controls belong to one agent: they
 * count only if their source names the agent that is used. A configured default that the user took back is sent as `null`,
 * because the daemon would apply it otherwise. Pure.
 */
export function chooseSettings(
  agent: string | undefined,
  { defaults, touched }: ChoiceSources,
): { chosen: Choices; settings: Settings } {
  const ofAgent = <T extends { agent?: string }>(source: T | undefined) =>
    agent !== undefined && source?.agent === agent ? source : undefined;
  const configured = settingsOf(ofAgent(defaults));
  const { model, effort, controls }: OfAgent = { ...configured, ...ofAgent(touched) };
  const mode = touched.mode ?? defaults?.mode ?? "ask";
  const settings = {
    agent: agent ?? "",
    model: model ?? (configured.model === undefined ? undefined : null),
    mode,
    effort: effort ?? (configured.effort === undefined ? undefined : null),
    controls:
      controls || configured.controls ? { ...controls, ...diffControls(configured.controls, controls) } : undefined,
  };
  return { chosen: { ...touched, agent, model, mode, effort, controls }, settings };
}

/** The settings that a source has. */
function settingsOf({ model, effort, controls }: OfAgent = {}): OfAgent {
  return { ...(model ? { model } : {}), ...(effort ? { effort } : {}), ...(controls ? { controls } : {}) };
}

/** The choices after a change in the form with this agent. Those of another agent are dropped. */
export function changeChoices<T extends Partial<Choices>>(
  choices: T,
  patch: Partial<Choices>,
  agent: string | undefined,
): T {
  const isOfAgent = "model" in patch || "effort" in patch || "controls" in patch;
  const next = { ...choices, ...(isOfAgent ? { agent } : {}), ...patch };
  if (next.agent === choices.agent) return next;
  const { model: _, effort: __, controls: ___, ...rest } = choices;
  return { ...rest, ...(isOfAgent ? { agent } : {}), ...patch } as T;
}
