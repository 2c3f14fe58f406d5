import type { AgentRow, Mode, SessionView } from "@gantry/protocol";
import { Select } from "../../ui/controls/select.tsx";
import { effortChoices, modeChoices, modelChoices } from "./choices.ts";

export type Chosen = Pick<SessionView, "model" | "mode" | "effort">;

type ChoicePickersProps = {
  row: AgentRow | undefined;
  chosen: Chosen;
  served?: string;
  /** Whether model and effort may be left to the agent again. Not possible once a session has started. */
  free?: boolean;
  onChange: (patch: Partial<Chosen>) => void;
};

/** Model, effort and mode, as far as the agent supports them. */
export function ChoicePickers({ row, chosen, served, free, onChange }: ChoicePickersProps) {
  const choice = { ...chosen, served, free };
  const efforts = effortChoices(row, choice);
  return (
    <>
      <Select
        label="Model"
        value={chosen.model ?? ""}
        choices={modelChoices(row, choice)}
        onChoose={(model) => onChange(free ? { model: model || undefined, effort: undefined } : { model })}
      />
      {efforts.length > 0 && (
        <Select
          label="Effort"
          value={chosen.effort ?? ""}
          choices={efforts}
          onChoose={(effort) => onChange({ effort: effort || undefined })}
        />
      )}
      <Select
        label="Mode"
        value={chosen.mode}
        choices={modeChoices(row, chosen.mode)}
        onChoose={(mode) => onChange({ mode: mode as Mode })}
      />
    </>
  );
}
