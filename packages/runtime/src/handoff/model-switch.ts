import { setTimeout as sleep } from "node:timers/promises";
import {
  type AgentRow,
  type Applied,
  changeControls,
  GantryError,
  type PatchSession,
  type SessionView,
} from "@gantry/protocol";
import type { Config } from "../config.ts";
import type { HandoffActor, Handoffs } from "./handoffs.ts";

export type ModelSwitchDeps = {
  config: Config;
  /** All agents with their state on this machine. */
  rows: () => Promise<AgentRow[]>;
  handoffs: Handoffs;
};

/** The result of a model change that needed another agent, and the part of the change that is left. */
export type Switched = Required<Pick<Applied, "applied" | "handoff">> & { rest: PatchSession };

const ROWS_MS = 3000;

/** A change of the model carries no instruction. */
const WAIT_PROMPT = "Read this and wait for the next message. Do not change anything yet.";

/** Models of other families: refused with the handoff that they need, or handed off if the settings allow it. */
export class ModelSwitch {
  readonly #deps: ModelSwitchDeps;

  constructor(deps: ModelSwitchDeps) {
    this.#deps = deps;
  }

  /**
   * `undefined`: the session's own agent handles the change. Everything that the next agent could refuse is part of the
   * request for the handoff, so it is checked before. Throws `other_family`, `conflict`, and what `Handoffs.ask` throws.
   */
  async handOffIfNeeded(
    actor: HandoffActor,
    { model, mode, effort, controls, ...others }: PatchSession,
  ): Promise<Switched | undefined> {
    const { view } = actor;
    if (model == null || model === view.model) return undefined;
    const elsewhere = await this.#findAgentsWith(view, model);
    const [first] = elsewhere;
    if (!first) return undefined;
    if (this.#deps.config.switching !== "any" && view.identity === undefined)
      throw otherFamilyError(view, model, elsewhere);
    if (others.folders || others.archived) throw separateChangeError(view, others.folders ? "folders" : "archived");
    const own = controls && { controls: changeControls(undefined, controls) };
    const wanted = { agent: first.agent, model, mode, effort: effort ?? undefined, ...own, prompt: WAIT_PROMPT };
    const rest = effort === null ? { ...others, effort } : others;
    const handoff = await this.#deps.handoffs.ask(actor, wanted);
    const changed = handoff.state === "failed" ? {} : { agent: first.agent, model };
    const applied = Object.entries(changed).map(([field, value]) => ({ field, value, when: "now" as const }));
    return { applied, handoff, rest };
  }

  /** Slow probes of agents do not delay the change for long. */
  async #findAgentsWith(view: SessionView, model: string): Promise<OtherAgent[]> {
    const rows = await Promise.race([this.#deps.rows(), sleep(ROWS_MS, [], { ref: false })]);
    const own = rows.find(({ id }) => id === view.agent);
    return own ? findOtherAgents(model, own, rows) : [];
  }
}

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

/** A handoff starts a turn, and neither can change during one. */
function separateChangeError({ id }: SessionView, field: "folders" | "archived"): GantryError {
  const message = `${field} of ${id} cannot change together with a model of another agent. Nothing was changed.`;
  return new GantryError("conflict", message, { remedy: `Change ${field} first, then the model.` });
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
