import { type AgentRow, formatModelHint, listModelFacts, type Offer } from "@gantry/protocol";
import { type AgentStatus, groupAgents, statusOf } from "../../agents/agent-status.ts";
import type { PickerOption } from "../../ui/picker/options.ts";

/** Separates agent and model in the value of an option that chooses both. Neither id contains it. */
const SEPARATOR = "\n";

/** Opens the set-up of an agent where the user is. `onReady` is called once the agent can be used. */
export type OpenSetup = (offer: Offer, onReady: () => void) => void;

/**
 * All agents: those that are ready, those that need a login or do not work with the reason, those that can be installed.
 * A search also finds the models of ready agents; choosing one chooses both. Pure.
 */
export function agentOptions(
  rows: readonly AgentRow[],
  setUp: OpenSetup,
  onChoose: (agent: string) => void,
): PickerOption[] {
  const { here, missing } = groupAgents(rows);
  return [...here, ...missing].flatMap((row) => [
    agentOption(row, setUp, onChoose),
    ...(statusOf(row) === "ready" ? modelOptions(row) : []),
  ]);
}

/** Splits the value of an option into agent and model. */
export function parseAgentValue(value: string): { agent: string; model?: string } {
  const [agent = "", model] = value.split(SEPARATOR);
  return { agent, ...(model ? { model } : {}) };
}

const groups = {
  ready: "Ready",
  login: "Login required",
  broken: "Not usable",
  unknown: "Not usable",
  missing: "Not installed",
} as const;

function agentOption(row: AgentRow, setUp: OpenSetup, onChoose: (agent: string) => void): PickerOption {
  const status = statusOf(row);
  const base = { value: row.id, label: row.name, group: groups[status] };
  if (status === "ready") return { ...base, about: readyText(row) };
  const offer = row.offers.find(({ kind }) => kind === (status === "missing" ? "install" : "login"));
  const about = reasonOf(row, status, offer);
  if (!offer) return { ...base, about, disabled: status !== "login" };
  return { ...base, about, run: () => setUp(offer, () => onChoose(row.id)) };
}

/** Why an agent cannot be used yet, and what choosing it does. */
function reasonOf({ problems: [problem] }: AgentRow, status: AgentStatus, offer: Offer | undefined): string {
  if (status === "login") return offer ? `${offer.title}…` : "Not logged in";
  if (status === "missing") return offer ? `Install: ${offer.display}` : (problem?.fix ?? "Not installed");
  return problem?.message ?? "It has not been checked yet";
}

function readyText({ version, models }: AgentRow): string | undefined {
  const count = models.items.length;
  const list = count > 0 ? `${count} ${count === 1 ? "model" : "models"}` : undefined;
  return [version, list].filter(Boolean).join(" · ") || undefined;
}

function modelOptions({ id, name, models }: AgentRow): PickerOption[] {
  return models.items.map((model) => {
    const short = formatModelHint(model);
    return {
      value: `${id}${SEPARATOR}${model.id}`,
      label: `${name} › ${model.name}`,
      group: "Models",
      searchOnly: true,
      ...(short ? { facts: { short, full: listModelFacts(model).join(", ") } } : {}),
    };
  });
}
