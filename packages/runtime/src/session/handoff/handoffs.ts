import {
  type AgentRow,
  GantryError,
  type Handoff,
  type HandoffBody,
  type HandoffPlan,
  type HandoffRequest,
  type IdKind,
  type SessionView,
} from "@gantry/protocol";
import type { Agent } from "../../agents/contract.ts";
import type { Store } from "../../log/port.ts";
import type { SessionActor } from "../actor.ts";
import { handoffBlock, type PreparedHandoff } from "../engine/handoff.ts";
import { type Brief, makeBrief, receiptsIn } from "./brief/brief.ts";
import { readAllFacts, readFacts } from "./brief/read-facts.ts";
import { branchOf } from "./brief/where.ts";
import { handoffText } from "./handoff-text.ts";
import { PendingBrief } from "./pending-brief.ts";
import { type NextSettings, nextSettings } from "./settings.ts";
import { type Chosen, chooseStrategy } from "./strategy.ts";

export type HandoffDeps = {
  store: Store;
  id: (kind: IdKind) => string;
  log: (line: string) => void;
  /** How long a brief may be. */
  briefChars: () => number;
  /** Throws when the agent is unknown or cannot be started here. */
  requireAgent: (id: string) => Promise<Agent>;
  agent: (id: string) => Agent | undefined;
  models: (agent: string) => Promise<AgentRow["models"]["items"]>;
  /** Throws `invalid` for a model that the agent does not know. */
  checkModel: (agent: Agent, model: string | undefined) => Promise<void>;
  actor: (session: string) => SessionActor;
  /** A model's words on top of a brief, where that is wanted and one is there; never later than its deadline. */
  summarise?: (session: string, brief: string) => Promise<string | undefined>;
  /** Called before and after each step; tests end the process there. */
  onStep?: (where: string) => void;
};

/**
 * Hands sessions from agent to agent. What was asked for is an event in the log (`handingTo`) until it is carried out in
 * one commit, so that a daemon that dies finds either the one or the other.
 */
export class Handoffs {
  readonly #deps: HandoffDeps;
  readonly #underWay = new Map<string, Promise<void>>();

  constructor(deps: HandoffDeps) {
    this.#deps = deps;
  }

  /** What a handoff would be. Changes nothing. Throws what `ask` throws, but for what runs right now. */
  async plan(view: SessionView, body: HandoffBody): Promise<HandoffPlan> {
    const { agent, chosen, settings } = await this.#prepare(view, body);
    const { text, receipts } = await this.#brief(view, chosen, body);
    const { strategy, why } = chosen;
    const blocked = handoffBlock(view)?.message;
    const said = { from: view.agent, to: agent.id, strategy, why, brief: text, receipts };
    return { ...said, ...settings, ...(blocked ? { blocked } : {}) };
  }

  /**
   * Asks for a handoff and, if nothing is in its way, carries it out. Throws `no_such_agent`, `agent_unavailable`,
   * `unsupported`, `invalid`, `turn_running`, `input_pending` or `handoff_pending`, with nothing changed.
   */
  async ask(actor: SessionActor, body: HandoffBody): Promise<Handoff> {
    const { interrupt = false, ...wanted } = body;
    await this.#prepare(actor.view, body);
    const request: HandoffRequest = { id: this.#deps.id("handoff"), ...wanted };
    const from = actor.view.agent;
    this.#step("ask", () => actor.apply("requestHandoff", { request, interrupt }));
    const told = { id: request.id, from, to: request.agent };
    if (actor.view.turn) return { ...told, state: "waiting" };
    await this.carryOut(actor.view.id);
    return this.#outcome(actor.view, told);
  }

  /** Carries out what was asked for, if nothing runs. Never throws; two calls are one. */
  carryOut(session: string): Promise<void> {
    const known = this.#underWay.get(session);
    if (known) return known;
    const carrying = this.#carryOut(session)
      .catch((error) => this.#deps.log(`${session}: ${(error as Error).stack ?? error}`))
      .finally(() => this.#underWay.delete(session));
    this.#underWay.set(session, carrying);
    return carrying;
  }

  async #carryOut(session: string): Promise<void> {
    const actor = this.#deps.actor(session);
    const request = actor.view.handingTo;
    if (!request || actor.view.turn) return;
    try {
      const summary = await this.#summary(actor.view, request);
      const { agent, settings } = await this.#prepare(actor.view, request);
      await this.#step("release", () => actor.release("handoff"));
      // Nothing is waited for from here on: what is told is how it stands now.
      const { view } = actor;
      if (view.turn || view.handingTo?.id !== request.id || actor.hasProcess) return;
      const prepared = this.#prepared(view, agent, settings, request, summary);
      this.#step("start", () => actor.apply("startHandoff", prepared));
      new PendingBrief(this.#deps.store, session).clear();
    } catch (error) {
      this.#refuse(actor, request, error);
    }
  }

  #refuse(actor: SessionActor, request: HandoffRequest, error: unknown): void {
    if (!(error instanceof GantryError)) this.#deps.log(`${request.id}: ${(error as Error).stack ?? error}`);
    if (actor.view.handingTo?.id !== request.id) return;
    actor.apply("refuseHandoff", { request, reason: (error as Error).message });
  }

  async #prepare(
    view: SessionView,
    body: Omit<HandoffBody, "interrupt">,
  ): Promise<{ agent: Agent; chosen: Chosen; settings: NextSettings }> {
    const agent = await this.#deps.requireAgent(body.agent);
    await this.#deps.checkModel(agent, body.model);
    const chosen = chooseStrategy(view, agent, body.strategy);
    const settings = nextSettings(view, agent, await this.#deps.models(agent.id), body);
    return { agent, chosen, settings };
  }

  #prepared(
    view: SessionView,
    agent: Agent,
    settings: NextSettings,
    request: HandoffRequest,
    summary: string | undefined,
  ): PreparedHandoff {
    const chosen = chooseStrategy(view, agent, request.strategy);
    const made = this.#made(view, chosen, request);
    const brief = request.brief ?? withSummary(made.text, summary);
    const receipts = request.brief === undefined ? made.receipts : receiptsIn(request.brief, made.receipts);
    const { strategy, handles } = chosen;
    const from = view.agent === agent.id ? undefined : (this.#deps.agent(view.agent)?.name ?? view.agent);
    const text = handoffText({ strategy, from, brief, prompt: request.prompt });
    const { dropped, ...next } = settings;
    const { id } = agent;
    return { request, strategy, brief, receipts, text, agent: { id }, settings: next, handles, dropped };
  }

  async #brief(view: SessionView, chosen: Chosen, body: HandoffBody): Promise<Brief> {
    const made = this.#made(view, chosen, body);
    if (body.brief !== undefined) return { text: body.brief, receipts: receiptsIn(body.brief, made.receipts) };
    return { ...made, text: withSummary(made.text, await this.#deps.summarise?.(view.id, made.text)) };
  }

  /** An agent that has followed the session until now need not be told of it. */
  #made(view: SessionView, { since }: Chosen, { prompt }: Pick<HandoffBody, "prompt">): Brief {
    if (view.lastSeq > 0 && since >= view.lastSeq) return { text: "", receipts: [] };
    const { store } = this.#deps;
    const facts = since === 0 ? readAllFacts(store, view.id) : readFacts(store, view.id, since);
    const where = { branch: branchOf(view.cwd), lane: view.lane };
    return makeBrief(facts, { limit: this.#deps.briefChars(), prompt, ...where });
  }

  async #summary(view: SessionView, request: HandoffRequest): Promise<string | undefined> {
    if (request.brief !== undefined || !this.#deps.summarise) return undefined;
    const agent = await this.#deps.requireAgent(request.agent);
    const { text } = this.#made(view, chooseStrategy(view, agent, request.strategy), request);
    return text === "" ? undefined : this.#deps.summarise(view.id, text);
  }

  /** What came of it until now. */
  #outcome(view: SessionView, told: Pick<Handoff, "id" | "from" | "to">): Handoff {
    if (view.handingTo?.id === told.id) return { ...told, state: "waiting" };
    const open = view.handoff?.id === told.id ? view.handoff : undefined;
    if (open) return { ...told, strategy: open.strategy, state: "started" };
    return this.#ended(view, told);
  }

  /** It was fast: the log says how it ended. */
  #ended(view: SessionView, told: Pick<Handoff, "id" | "from" | "to">): Handoff {
    const recent = this.#deps.store.tailEvents(view.id, 500).map((row) => JSON.parse(row.json));
    const end = recent.find(({ type, data }) => type === "handoff.ended" && data.id === told.id)?.data;
    if (!end || end.outcome === "completed") return { ...told, strategy: end?.strategy, state: "started" };
    return { ...told, strategy: end.strategy, state: "failed", reason: end.reason };
  }

  #step<Result>(name: string, run: () => Result): Result {
    this.#deps.onStep?.(`handoff:${name}:before`);
    const after = () => this.#deps.onStep?.(`handoff:${name}:after`);
    const result = run();
    if (result instanceof Promise) return result.finally(after) as Result;
    after();
    return result;
  }
}

/** A model's words are marked as such; no receipt stands behind them. */
function withSummary(brief: string, summary: string | undefined): string {
  if (!summary || brief === "") return brief;
  return `## Summary (a model's words, not checked against the log)\n\n${summary.trim()}\n\n${brief}`;
}
