import {
  type AgentRow,
  type Control,
  type ControlValues,
  type Mode,
  permitControls,
  requiredMode,
  type SessionView,
} from "@gantry/protocol";
import type { SelectOption } from "../../ui/controls/select.tsx";
import { modeNames } from "./choices.ts";

type Situation = {
  mode: Mode;
  values: ControlValues;
  session?: Pick<SessionView, "controlsApplied" | "controlChoices">;
};

/**
 * The choices of a control. The first leaves it to the mode or the agent and shows what applies then. A choice that the
 * mode does not permit is disabled and names the mode that it needs.
 */
export function controlChoices(
  set: AgentRow["controls"],
  control: Control,
  { mode, values, session }: Situation,
): SelectOption[] {
  const { id, label, byMode } = control;
  const named = new Map(control.choices.map((choice) => [choice.id, choice.label]));
  const current = values[id];
  for (const found of [...(session?.controlChoices?.[id] ?? []), ...(current === undefined ? [] : [current])]) {
    if (!named.has(found)) named.set(found, found);
  }
  const reported = current === undefined ? session?.controlsApplied?.[id] : undefined;
  const unset = reported ?? byMode?.[mode] ?? control.default;
  const choices = [...named].map(([value, name]) => {
    const next = { ...values, [id]: value };
    const isWithheld = permitControls(set, mode, next).withheld.some((entry) => entry.id === id);
    const needs = set && isWithheld ? (control.modes?.[0] ?? requiredMode(set, mode, next)) : undefined;
    const hint = isWithheld && needs ? `needs ${modeNames[needs].toLowerCase()}` : undefined;
    return { value, label: `${label}: ${name}`, hint, disabled: isWithheld && value !== current };
  });
  return [
    { value: "", label: `${label}: ${unset ? `${named.get(unset) ?? unset} (default)` : "default"}` },
    ...choices,
  ];
}

/** The values after a choice; `undefined` if none is left. */
export function withControl(
  values: ControlValues | undefined,
  id: string,
  value: string | undefined,
): ControlValues | undefined {
  const { [id]: _, ...rest } = values ?? {};
  const next = value === undefined ? rest : { ...rest, [id]: value };
  return Object.keys(next).length > 0 ? next : undefined;
}
