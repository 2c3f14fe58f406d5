import { type AgentRow, GantryError, type SessionView } from "@gantry/protocol";

/** An agent to which the session would be handed for a model. */
export type OtherAgent = { agent: string; name: string };

/**
 * The agents that offer a model of another family than those of the session's agent. Empty for a model that no agent
 * lists, and if the session's agent lists no models: it may have the model.
 */
export function findOtherAgents(model: string, own: AgentRow, rows: readonly AgentRow[]): OtherAgent[] {
  const listed = own.models.items.map(({ id }) => id);
  if (listed.length === 0 || listed.includes(model) || isOfFamily(model, listed)) return [];
  const others = rows.filter(({ id, state, demo, models }) => {
    return id !== own.id && state === "ready" && !demo && models.items.some((item) => item.id === model);
  });
  const known = others.toSorted((a, b) => Number(b.auth.state === "ok") - Number(a.auth.state === "ok"));
  return known.map(({ id, name }) => ({ agent: id, name }));
}

/** Parts of model names that do not identify a family. */
const GENERIC = new Set([
  "default",
  "auto",
  "latest",
  "preview",
  "mini",
  "nano",
  "pro",
  "max",
  "fast",
  "code",
  "model",
]);

/** Do two names share the part of a family: `gpt-5.1-mini` and `gpt-5.1`, `vendor-opus-4-1` and `opus`? */
function isOfFamily(model: string, listed: readonly string[]): boolean {
  const wanted = nameParts(model);
  return listed.some((id) => {
    const theirs = nameParts(id);
    return wanted.includes(theirs[0] ?? " ") || theirs.includes(wanted[0] ?? " ");
  });
}

/** A provider before a slash is not a family: one agent may serve models of many. */
function nameParts(model: string): string[] {
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  return (name.match(/[a-z]{2,}/g) ?? []).filter((part) => !GENERIC.has(part));
}

/** The error names the handoff that the model needs. */
export function otherFamilyError(view: SessionView, model: string, elsewhere: readonly OtherAgent[]): GantryError {
  const [first] = elsewhere;
  const names = elsewhere.map(({ name }) => name).join(", ");
  return new GantryError("other_family", `${model} is not a model of ${view.agent}; it is offered by ${names}.`, {
    remedy: `Hand the session over: \`gantry handoff ${view.id} ${first?.agent} -m ${model}\`.`,
    details: { handoff: { agent: first?.agent, model }, offeredBy: elsewhere.map(({ agent }) => agent) },
  });
}
