import { type AgentRow, type Control, GantryError, type Mode, type PatchSession, type Session } from "@gantry/protocol";

export type Choice = { value: string; name: string; description?: string };

/** A setting of a session as a list of choices. `current` is always one of them. */
export type ConfigOption = {
  id: string;
  name: string;
  category?: "mode" | "model" | "thought_level" | "model_config";
  current: string;
  choices: Choice[];
};

/** The choice that leaves a setting to the agent. */
const UNSET = "default";

const MODES: Record<Mode, { name: string; description: string }> = {
  plan: { name: "Plan", description: "Reads and proposes a plan. Changes nothing." },
  ask: { name: "Ask", description: "Asks before it changes files or runs commands." },
  "auto-edit": { name: "Auto-edit", description: "Changes files without asking. Asks before it runs commands." },
  "full-auto": { name: "Full auto", description: "Works without asking." },
  inherit: { name: "Agent's own", description: "The agent's own configuration decides." },
};

/** The settings of a session that a client can change. Without `row` the agent is unknown here, and only the mode is shown. */
export function configOptions(session: Session, row: AgentRow | undefined): ConfigOption[] {
  const models = row?.models.items ?? [];
  const model = models.find(({ id }) => id === session.model) ?? models.find((one) => one.default);
  const options = [modeOption(session, row), modelOption(session, models)];
  const efforts = model?.efforts ?? [];
  if (efforts.length > 0 || session.effort)
    options.push(
      withCurrent({ id: "effort", name: "Effort", category: "thought_level", current: session.effort ?? UNSET }, [
        { value: UNSET, name: "Default" },
        ...efforts.map((effort) => ({ value: effort, name: effort })),
      ]),
    );
  return [...options, ...(row?.controls?.items ?? []).map((control) => controlOption(session, control))];
}

/** The modes alone, for clients that know modes but no config options. */
export function modeOption(session: Session, row: AgentRow | undefined): ConfigOption {
  const current = session.modeApplied ?? session.mode;
  const modes = row?.modes ?? [];
  const choices = modes.map((mode) => {
    const reason = row?.unenforced?.[mode];
    const { name, description } = MODES[mode];
    return { value: mode, name, description: reason ? `${description} Not enforced: ${reason}` : description };
  });
  return withCurrent({ id: "mode", name: "Mode", category: "mode", current }, choices);
}

/** The change of a session that a chosen value means. Throws `invalid` for an unknown option or value. */
export function readChoice(options: readonly ConfigOption[], id: string, value: unknown): PatchSession {
  const option = options.find((one) => one.id === id);
  if (!option) throw new GantryError("invalid", `The session has no option ${id}.`);
  const chosen = option.choices.find((choice) => choice.value === value);
  if (!chosen) throw new GantryError("invalid", `${option.name} has no choice ${String(value)}.`);
  const wanted = chosen.value === UNSET ? null : chosen.value;
  if (id === "mode") return { mode: chosen.value as Mode };
  if (id === "model") return { model: wanted };
  if (id === "effort") return { effort: wanted };
  return { controls: { [id.slice(CONTROL.length)]: wanted } };
}

const CONTROL = "control-";

function modelOption({ model }: Session, models: AgentRow["models"]["items"]): ConfigOption {
  const choices = models.map(({ id, name }) => ({ value: id, name }));
  const preset = models.find((one) => one.default);
  const name = preset ? `Default (${preset.name})` : "Default";
  return withCurrent({ id: "model", name: "Model", category: "model", current: model ?? UNSET }, [
    { value: UNSET, name },
    ...choices,
  ]);
}

function controlOption({ controls, controlsApplied, controlChoices }: Session, control: Control): ConfigOption {
  const { id, label, choices } = control;
  const found = (controlChoices?.[id] ?? []).filter((value) => !choices.some((choice) => choice.id === value));
  const current = controls?.[id] ?? controlsApplied?.[id] ?? UNSET;
  return withCurrent({ id: `${CONTROL}${id}`, name: label, category: "model_config", current }, [
    { value: UNSET, name: "Default" },
    ...choices.map((choice) => ({ value: choice.id, name: choice.label, ...describe(choice.description) })),
    ...found.map((value) => ({ value, name: value })),
  ]);
}

function describe(description: string | undefined): { description?: string } {
  return description ? { description } : {};
}

/** A value that the agent does not list is added, and a value that is listed twice is listed once. */
function withCurrent(option: Omit<ConfigOption, "choices">, choices: readonly Choice[]): ConfigOption {
  const unique = choices.filter(({ value }, place) => choices.findIndex((other) => other.value === value) === place);
  const isListed = unique.some(({ value }) => value === option.current);
  return { ...option, choices: isListed ? unique : [...unique, { value: option.current, name: option.current }] };
}
