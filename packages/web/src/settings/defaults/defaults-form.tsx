import type { AgentRow, ChangeDefaults, Control, Defaults, Mode } from "@gantry/protocol";
import { agentChoices, effortChoices, modeChoices, modelChoices } from "../../composer/choices/choices.ts";
import { agents } from "../../store/agents.ts";
import { useCell } from "../../store/cell.ts";
import type { PickerOption } from "../../ui/picker/options.ts";
import { Picker } from "../../ui/picker/picker.tsx";
import { SettingRow } from "../setting-row.tsx";

type Patch = Omit<ChangeDefaults, "scope" | "cwd">;

type DefaultsFormProps = {
  /** Part of the accessible name of each control: the page shows two forms. */
  scope: string;
  defaults: Defaults;
  onChange: (patch: Patch) => void;
};

/** Agent, model, effort, mode and native controls of new sessions. Each is saved when it is chosen. */
export function DefaultsForm({ scope, defaults, onChange }: DefaultsFormProps) {
  const rows = useCell(agents);
  const row = rows.find(({ id }) => id === defaults.agent);
  const mode = defaults.mode ?? "ask";
  const chooseAgent = (agent: string | null) => onChange({ agent, ...withoutAgentSettings(defaults) });
  return (
    <div>
      <Choice
        name="Agent"
        scope={scope}
        unset="Not set (last used)"
        value={defaults.agent}
        choices={withCurrent(agentChoices(rows), defaults.agent)}
        onChoose={chooseAgent}
      />
      <Choice
        name="Mode"
        scope={scope}
        unset="Not set (ask)"
        value={defaults.mode}
        choices={modeChoices(row, mode)}
        onChoose={(chosen) => onChange({ mode: chosen as Mode | null })}
      />
      {row && <AgentSettings scope={scope} row={row} mode={mode} defaults={defaults} onChange={onChange} />}
    </div>
  );
}

/** Model, effort and controls belong to the agent they were chosen for. */
function withoutAgentSettings({ model, effort, controls = {} }: Defaults): Patch {
  const removed = Object.keys(controls).map((id) => [id, null]);
  return {
    ...(model === undefined ? {} : { model: null }),
    ...(effort === undefined ? {} : { effort: null }),
    ...(removed.length === 0 ? {} : { controls: Object.fromEntries(removed) }),
  };
}

type AgentSettingsProps = DefaultsFormProps & {
  row: AgentRow;
  mode: Mode;
  /** The model whose efforts are offered if the defaults set none. */
  inheritedModel?: string;
  /** What applies now, shown below the name of a setting. */
  about?: (setting: "model" | "effort" | "controls", control?: Control) => string;
};

/** Model, effort and native controls of an agent. */
export function AgentSettings(props: AgentSettingsProps) {
  const { scope, row, mode, defaults, inheritedModel, about, onChange } = props;
  const { model, effort, controls = {} } = defaults;
  const models = modelChoices(row, { model, free: true }).filter(({ value }) => value !== "");
  const efforts = effortChoices(row, { model: model ?? inheritedModel, effort, free: true }).filter(
    ({ value }) => value !== "",
  );
  return (
    <>
      <Choice
        name="Model"
        scope={scope}
        about={about?.("model")}
        unset={about ? "Not set" : "Not set (the agent's default)"}
        value={model}
        choices={models}
        onChoose={(chosen) => onChange({ model: chosen, ...(effort === undefined ? {} : { effort: null }) })}
      />
      {efforts.length > 0 && (
        <Choice
          name="Effort"
          scope={scope}
          about={about?.("effort")}
          unset={about ? "Not set" : "Not set (the agent's default)"}
          value={effort}
          choices={efforts}
          onChoose={(chosen) => onChange({ effort: chosen })}
        />
      )}
      {row.controls?.items.map((control) => (
        <Choice
          key={control.id}
          name={control.label}
          scope={scope}
          about={about?.("controls", control)}
          unset={about ? "Not set" : `Not set (${unsetText(control, mode)})`}
          value={controls[control.id]}
          choices={control.choices.map(({ id, label }) => ({ value: id, label }))}
          onChoose={(chosen) => onChange({ controls: { [control.id]: chosen } })}
        />
      ))}
    </>
  );
}

/** What applies if the session sets nothing. */
export function unsetText({ byMode, default: standard, choices }: Control, mode: Mode): string {
  const applied = byMode?.[mode] ?? standard;
  if (!applied) return "the agent's default";
  return choices.find(({ id }) => id === applied)?.label ?? applied;
}

type ChoiceProps = {
  name: string;
  scope: string;
  about?: string;
  unset: string;
  value: string | undefined;
  choices: readonly PickerOption[];
  onChoose: (value: string | null) => void;
};

/** One default with its choices. The first one removes it. */
export function Choice({ name, scope, about, unset, value, choices, onChoose }: ChoiceProps) {
  return (
    <SettingRow name={name} about={about}>
      <Picker
        steps={[
          {
            label: `${scope}: ${name}`,
            value: value ?? "",
            options: [{ value: "", label: unset }, ...withCurrent(choices, value)],
            onChoose: (chosen) => onChoose(chosen === "" ? null : chosen),
          },
        ]}
      />
    </SettingRow>
  );
}

/** A value of the file that is not among the choices is shown too. */
function withCurrent(choices: readonly PickerOption[], value: string | undefined): readonly PickerOption[] {
  if (value === undefined || choices.some((choice) => choice.value === value)) return choices;
  return [...choices, { value, label: value }];
}
