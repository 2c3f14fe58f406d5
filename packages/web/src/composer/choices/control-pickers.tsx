import type { AgentRow, ControlValues, Mode, SessionView } from "@gantry/protocol";
import { SlidersHorizontal } from "lucide-react";
import { useState } from "react";
import { Button } from "../../ui/controls/button.tsx";
import { Select } from "../../ui/controls/select.tsx";
import { controlChoices } from "./control-choices.ts";

type ControlPickersProps = {
  row: AgentRow | undefined;
  mode: Mode;
  values: ControlValues | undefined;
  /** What the agent reports, if it runs. */
  session?: Pick<SessionView, "controlsApplied" | "controlChoices">;
  onChange: (id: string, value: string | undefined) => void;
};

/** The native controls of the agent, folded away until one is set or the user opens them. Nothing for an agent without any. */
export function ControlPickers({ row, mode, values = {}, session, onChange }: ControlPickersProps) {
  const [isOpen, setOpen] = useState(false);
  const items = row?.controls?.items ?? [];
  if (!row?.controls || items.length === 0) return null;
  const shown = isOpen ? items : items.filter(({ id }) => values[id] !== undefined);
  return (
    <>
      <Button
        look="quiet"
        label="Native controls"
        aria-expanded={isOpen}
        icon={<SlidersHorizontal size={14} />}
        onClick={() => setOpen(!isOpen)}
      />
      {shown.map((control) => (
        <Select
          key={control.id}
          label={control.label}
          value={values[control.id] ?? ""}
          choices={controlChoices(row.controls, control, { mode, values, session })}
          onChoose={(value) => onChange(control.id, value || undefined)}
        />
      ))}
    </>
  );
}
