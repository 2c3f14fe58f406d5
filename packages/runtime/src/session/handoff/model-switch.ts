import { setTimeout as sleep } from "node:timers/promises";
import type { AgentRow, Applied, PatchSession, SessionView } from "@gantry/protocol";
import type { Config } from "../../config.ts";
import type { SessionActor } from "../actor.ts";
import type { Handoffs } from "./handoffs.ts";
import { findOtherAgents, type OtherAgent, otherFamilyError } from "./model-families.ts";

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

  /** `undefined`: the session's own agent handles the change. Throws `other_family`, and what `Handoffs.ask` throws. */
  async handOffIfNeeded(
    actor: SessionActor,
    { model, mode, effort, ...rest }: PatchSession,
  ): Promise<Switched | undefined> {
    const { view } = actor;
    const elsewhere = model === undefined || model === view.model ? [] : await this.#elsewhere(view, model);
    const [first] = elsewhere;
    if (model === undefined || !first) return undefined;
    if (this.#deps.config.switching !== "any" && view.identity === undefined)
      throw otherFamilyError(view, model, elsewhere);
    const wanted = { agent: first.agent, model, mode, effort, prompt: WAIT_PROMPT };
    const handoff = await this.#deps.handoffs.ask(actor, wanted);
    const changed = handoff.state === "failed" ? {} : { agent: first.agent, model };
    const applied = Object.entries(changed).map(([field, value]) => ({ field, value, when: "now" as const }));
    return { applied, handoff, rest };
  }

  /** Slow probes of agents do not delay the change for long. */
  async #elsewhere(view: SessionView, model: string): Promise<OtherAgent[]> {
    const rows = await Promise.race([this.#deps.rows(), sleep(ROWS_MS, [], { ref: false })]);
    const own = rows.find(({ id }) => id === view.agent);
    return own ? findOtherAgents(model, own, rows) : [];
  }
}
