import {
  type AgentRow,
  formatModelHint,
  ladder,
  listModelFacts,
  type Mode,
  type Model,
  nearestMode,
  substituteMode,
} from "@gantry/protocol";
import type { SelectOption } from "../../ui/controls/select.tsx";

/** The display names of the modes. */
export const modeNames: Record<Mode, string> = {
  plan: "Plan",
  ask: "Ask",
  "auto-edit": "Auto-edit",
  "full-auto": "Full-auto",
  inherit: "Agent's own setting",
};

/** All agents, ready ones first. The others are disabled and show why. */
export function agentChoices(rows: readonly AgentRow[]): SelectOption[] {
  const ready = rows.filter((row) => row.state === "ready");
  const others = rows.filter((row) => row.state !== "ready");
  return [
    ...ready.map((row) => ({
      value: row.id,
      label: row.name,
      hint: row.auth.state === "missing" ? "not logged in" : undefined,
    })),
    ...others.map((row) => ({ value: row.id, label: row.name, hint: unavailableReason(row), disabled: true })),
  ];
}

function unavailableReason(row: AgentRow): string {
  if (row.state === "missing") return "not installed";
  return row.state === "broken" ? "broken" : "not checked yet";
}

/** The modes. One that the agent lacks shows the mode that would be used instead; one that cannot be enforced is marked. */
export function modeChoices(row: AgentRow | undefined, chosen: Mode): SelectOption[] {
  const offered = row?.modes ?? [chosen];
  return [...ladder, "inherit" as const].map((mode) => {
    const applied = row ? substituteMode(mode, offered) : mode;
    const isLacking = row !== undefined && nearestMode(mode, offered) === undefined;
    const other = applied === mode ? undefined : `runs as ${modeNames[applied].toLowerCase()}`;
    const loose = row?.unenforced?.[applied] ? "cannot be enforced" : undefined;
    const hint = [isLacking && "not available", other, loose].filter(Boolean).join(", ") || undefined;
    return { value: mode, label: modeNames[mode], hint, disabled: isLacking };
  });
}

/** The current choice, the model that answered last, and whether the choice may be left to the agent again. */
export type ModelChoice = { model?: string; effort?: string; served?: string; free?: boolean };

/** The agent's models with the known facts about them. If none is chosen, the first entry is the agent's default. */
export function modelChoices(row: AgentRow | undefined, { model, served, free }: ModelChoice): SelectOption[] {
  const items = row?.models.items ?? [];
  const choices: SelectOption[] = items.map((item) => ({ value: item.id, label: item.name, facts: factsOf(item) }));
  if (model && !items.some((item) => item.id === model)) choices.unshift({ value: model, label: model });
  if (model && !free) return choices;
  const standard = items.find((item) => item.default);
  const own = (model ? undefined : served) ?? standard?.name;
  const facts = standard && own === standard.name ? factsOf(standard) : undefined;
  const label = defaultLabel(own);
  // Some agents list an alias of their default model, which would be the same choice twice.
  const others = choices.filter((choice) => choice.label !== label || choice.value === model);
  return [{ value: "", label, facts }, ...others];
}

function factsOf(model: Model): SelectOption["facts"] {
  const short = formatModelHint(model);
  return short ? { short, full: listModelFacts(model).join(", ") } : undefined;
}

/** Some agents already call their default model "Default" or "Default (recommended)". */
function defaultLabel(model: string | undefined): string {
  if (!model || model.toLowerCase() === "default") return "Default model";
  return /^default\b/i.test(model) ? model : `Default (${model})`;
}

/** The effort levels of the chosen model; empty if it has none. */
export function effortChoices(row: AgentRow | undefined, { model, effort, free }: ModelChoice): SelectOption[] {
  const efforts = modelOf(row, model)?.efforts ?? [];
  if (efforts.length === 0) return [];
  const known = effort && !efforts.includes(effort) ? [effort, ...efforts] : efforts;
  const choices = known.map((word) => ({ value: word, label: capital(word) }));
  return effort && !free ? choices : [{ value: "", label: "Default effort" }, ...choices];
}

function modelOf(row: AgentRow | undefined, id: string | undefined): Model | undefined {
  const items = row?.models.items ?? [];
  if (!id) return items.find((item) => item.default);
  // A suffix such as `@fast` names a service tier of the same model.
  return items.find((item) => item.id === id) ?? items.find((item) => item.id === id.replace(/@[a-z]+$/, ""));
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
