import type { AgentRow, Mode, SessionView } from "@gantry/protocol";
import { Select } from "../../ui/controls/select.tsx";
import { effortChoices, modeChoices, modelChoices } from "./choices.ts";
import { withControl } from "./control-choices.ts";
import { ControlPickers } from "./control-pickers.tsx";

export type Chosen = Pick<SessionView, "model" | "mode" | "effort" | "controls">;

type ChoicePickersProps = {
  row: AgentRow | undefined;
  chosen: Chosen;
  served?: string;
  /** A started session, with what its agent reports. */
  session?: SessionView;
  /** Whether model and effort may be left to the agent again. Not possible once a session has started. */
  free?: boolean;
  onChange: (patch: Partial<Chosen>) => void;
};

/** Model, effort, mode and native controls, as far as the agent supports them. */
export function ChoicePickers({ row, chosen, served, session, free, onChange }: ChoicePickersProps) {
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
      <ControlPickers
        row={row}
        mode={chosen.mode}
        values={chosen.controls}
        session={session}
        onChange={(id, value) => onChange({ controls: withControl(chosen.controls, id, value) })}
      />
    </>
  );
}
