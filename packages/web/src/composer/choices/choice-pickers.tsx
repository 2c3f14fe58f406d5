import type { AgentRow, Mode, SessionView } from "@gantry/protocol";
import { SlidersHorizontal } from "lucide-react";
import { useState } from "react";
import { openSetup } from "../../agents/setup/setup-request.ts";
import { agents } from "../../store/agents.ts";
import { useCell } from "../../store/cell.ts";
import { Button } from "../../ui/controls/button.tsx";
import type { PickerStep } from "../../ui/picker/options.ts";
import { Picker } from "../../ui/picker/picker.tsx";
import { agentOptions, parseAgentValue } from "./agent-options.ts";
import { effortChoices, modeChoices, modelChoices } from "./choices.ts";
import { controlChoices, withControl } from "./control-choices.ts";

export type Chosen = Pick<SessionView, "model" | "mode" | "effort" | "controls">;

/** The agent of the choices, and what choosing another one does. A search may choose a model with it. */
export type AgentChoice = {
  value: string;
  onChoose: (agent: string, model?: string) => void;
  /** The accessible name, if there are several of them. */
  label?: string;
};

type ChoicePickersProps = {
  /** Without it, the agent is fixed and not shown. */
  agent?: AgentChoice;
  row: AgentRow | undefined;
  chosen: Chosen;
  served?: string;
  /** A started session, with what its agent reports. */
  session?: SessionView;
  /** Whether model and effort may be left to the agent again. Not possible once a session has started. */
  free?: boolean;
  onChange: (patch: Partial<Chosen>) => void;
};

/** Agent, model, effort, mode and native controls in one picker, as far as the agent supports them. */
export function ChoicePickers(props: ChoicePickersProps) {
  const { agent, row, chosen } = props;
  const rows = useCell(agents);
  const [isOpen, setOpen] = useState(false);
  const hasControls = (row?.controls?.items.length ?? 0) > 0;
  const isFolded = (id: string) => !isOpen && chosen.controls?.[id] === undefined;
  const steps = [...(agent ? [agentStep(rows, agent)] : []), ...settingSteps(props), ...controlSteps(props, isFolded)];
  return (
    <Picker steps={steps}>
      {hasControls && (
        <Button
          look="quiet"
          label="Native controls"
          aria-expanded={isOpen}
          icon={<SlidersHorizontal size={14} />}
          onClick={() => setOpen(!isOpen)}
        />
      )}
    </Picker>
  );
}

function agentStep(rows: readonly AgentRow[], { value, onChoose, label = "Agent" }: AgentChoice): PickerStep {
  const options = agentOptions(rows, openSetup, (agent) => onChoose(agent));
  const known = value === "" || options.some((option) => option.value === value);
  return {
    label,
    tab: "Agent",
    value,
    options: rows.length === 0 ? [{ value: "", label: "Looking for agents…" }] : options,
    ...(known ? {} : { options: [{ value, label: value }, ...options] }),
    onChoose: (chosen) => {
      const { agent, model } = parseAgentValue(chosen);
      onChoose(agent, model);
    },
  };
}

function settingSteps({ row, chosen, served, free, onChange }: ChoicePickersProps): PickerStep[] {
  const choice = { ...chosen, served, free };
  const efforts = effortChoices(row, choice);
  const effort: PickerStep = {
    label: "Effort",
    value: chosen.effort ?? "",
    options: efforts,
    onChoose: (value) => onChange({ effort: value || undefined }),
  };
  return [
    {
      label: "Model",
      value: chosen.model ?? "",
      options: modelChoices(row, choice),
      onChoose: (model) => onChange(free ? { model: model || undefined, effort: undefined } : { model }),
    },
    ...(efforts.length > 0 ? [effort] : []),
    {
      label: "Mode",
      value: chosen.mode,
      options: modeChoices(row, chosen.mode),
      onChoose: (mode) => onChange({ mode: mode as Mode }),
    },
  ];
}

function controlSteps(
  { row, chosen, session, onChange }: ChoicePickersProps,
  isFolded: (id: string) => boolean,
): PickerStep[] {
  const { controls: values = {}, mode } = chosen;
  return (row?.controls?.items ?? []).map((control) => ({
    label: control.label,
    value: values[control.id] ?? "",
    options: controlChoices(row?.controls, control, { mode, values, session }),
    folded: isFolded(control.id),
    onChoose: (value) => onChange({ controls: withControl(chosen.controls, control.id, value || undefined) }),
  }));
}
