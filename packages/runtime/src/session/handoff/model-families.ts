import { type AgentRow, GantryError, type SessionView } from "@gantry/protocol";

/** An agent that would have to take the session over for a model. */
export type OtherAgent = { agent: string; name: string };

/**
 * The agents that offer a model which the session's own agent neither lists nor seems to have: other families of models
 * need a handoff. None for a model that nobody lists, and none for an agent that does not tell its models: whether they
 * exist is not for us to say.
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

/** Words that say how a model is and not whose it is. */
const COMMON = new Set(["default", "auto", "latest", "preview", "mini", "nano", "pro", "max", "fast", "code", "model"]);

/** Do two names share the word of a family: `gpt-5.1-mini` and `gpt-5.1`, `vendor-opus-4-1` and `opus`? */
function isOfFamily(model: string, listed: readonly string[]): boolean {
  const wanted = words(model);
  return listed.some((id) => {
    const theirs = words(id);
    return wanted.includes(theirs[0] ?? " ") || theirs.includes(wanted[0] ?? " ");
  });
}

/** A provider before a slash is no family: one agent serves the models of many. */
function words(model: string): string[] {
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  return (name.match(/[a-z]{2,}/g) ?? []).filter((word) => !COMMON.has(word));
}

/** Says which handoff the model would take. */
export function otherFamilyError(view: SessionView, model: string, elsewhere: readonly OtherAgent[]): GantryError {
  const [first] = elsewhere;
  const names = elsewhere.map(({ name }) => name).join(", ");
  return new GantryError("other_family", `${model} is not a model of ${view.agent}; it is offered by ${names}.`, {
    remedy: `Hand the session over: \`gantry handoff ${view.id} ${first?.agent} -m ${model}\`.`,
    details: { handoff: { agent: first?.agent, model }, offeredBy: elsewhere.map(({ agent }) => agent) },
  });
}
