import {
  type AgentRow,
  GantryError,
  type Handoff,
  type HandoffBody,
  type HandoffPlan,
  type HandoffRequest,
  type HandoffStrategy,
  type IdKind,
  type Receipt,
  type SessionView,
} from "@gantry/protocol";
import type { Agent } from "../agents/contract.ts";
import type { Store } from "../log/port.ts";
import { type Brief, makeBrief, receiptsIn } from "./brief/brief.ts";
import { branchOf } from "./brief/git-branch.ts";
import { readAllFacts, readFacts } from "./brief/read-facts.ts";
import { handoffText } from "./handoff-text.ts";
import { type NextSettings, nextSettings } from "./next-settings.ts";
import { PendingBrief } from "./pending-brief.ts";
import { chooseStrategy, type StrategyChoice } from "./strategy.ts";

/** A handoff with everything decided. */
export type PreparedHandoff = {
  request: HandoffRequest;
  strategy: HandoffStrategy;
  brief: string;
  receipts: Receipt[];
  /** The first message for the next agent: the brief with its introduction. */
  text: string;
  agent: Pick<Agent, "id" | "unenforced">;
  settings: Omit<NextSettings, "dropped">;
  /** Changes to the native handles that the strategy needs. */
  handles: Record<string, string | null>;
  /** Settings that the next agent does not support, as notices. */
  dropped: readonly string[];
};

/** The session's actor, as a handoff sees it. The engine decides; `apply` throws what it throws. */
export type HandoffActor = {
  readonly view: SessionView;
  /** The session has a process, or one is being started. */
  readonly hasProcess: boolean;
  apply(type: "requestHandoff", input: { request: HandoffRequest; interrupt: boolean }): void;
  apply(type: "startHandoff", input: PreparedHandoff): void;
  apply(type: "refuseHandoff", input: { request: HandoffRequest; reason: string }): void;
  release(reason: "handoff"): Promise<boolean>;
};

export type HandoffDeps = {
  store: Store;
  id: (kind: IdKind) => string;
  log: (line: string) => void;
  /** The maximum length of a brief. */
  briefChars: () => number;
  /** Throws if the agent is unknown or cannot be started here. */
  requireAgent: (id: string) => Promise<Agent>;
  agent: (id: string) => Agent | undefined;
  models: (agent: string) => Promise<AgentRow["models"]["items"]>;
  /** Throws `invalid` for a model, an effort or controls that the agent does not have. */
  checkChoices: (agent: Agent, choices: Pick<HandoffBody, "model" | "effort" | "mode" | "controls">) => Promise<void>;
  actor: (session: string) => HandoffActor;
  /** The engine's error for a handoff that cannot start right now. */
  blockOf: (view: SessionView) => GantryError | undefined;
  /** Summarises a brief with a model, if one is configured. Resolves within its deadline. */
  summarise?: (session: string, brief: string) => Promise<string | undefined>;
  /** Called before and after each step; tests kill the process there. */
  onStep?: (where: string) => void;
};

/**
 * Hands sessions from agent to agent. The request is an event in the log (`handingTo`) until it is carried out in one
 * commit, so a crash leaves either the request or the finished handoff.
 */
export class Handoffs {
  readonly #deps: HandoffDeps;
  readonly #running = new Map<string, Promise<void>>();

  constructor(deps: HandoffDeps) {
    this.#deps = deps;
  }

  /** Plans a handoff without changing anything. Throws what `ask` throws, except for a running turn. */
  async plan(view: SessionView, body: HandoffBody): Promise<HandoffPlan> {
    const { agent, chosen, settings } = await this.#prepare(view, body);
    const { text, receipts } = await this.#brief(view, chosen, body);
    const { strategy, why } = chosen;
    const blocked = this.#deps.blockOf(view)?.message;
    const shown = { from: view.agent, to: agent.id, strategy, why, brief: text, receipts };
    return { ...shown, ...settings, ...(blocked ? { blocked } : {}) };
  }

  /**
   * Requests a handoff and carries it out if nothing blocks it. Throws `no_such_agent`, `agent_unavailable`,
   * `unsupported`, `invalid`, `turn_running`, `input_pending` or `handoff_pending`, with nothing changed.
   */
  async ask(actor: HandoffActor, body: HandoffBody, by?: string): Promise<Handoff> {
    const { interrupt = false, ...wanted } = body;
    await this.#prepare(actor.view, body);
    const request: HandoffRequest = { id: this.#deps.id("handoff"), ...wanted, ...(by ? { by } : {}) };
    const from = actor.view.agent;
    this.#step("ask", () => actor.apply("requestHandoff", { request, interrupt }));
    const ids = { id: request.id, from, to: request.agent };
    if (actor.view.turn) return { ...ids, state: "waiting" };
    await this.carryOut(actor.view.id);
    return this.#outcome(actor.view, ids);
  }

  /** Carries out the requested handoff if nothing runs. Idempotent, never throws. */
  carryOut(session: string): Promise<void> {
    const known = this.#running.get(session);
    if (known) return known;
    const carrying = this.#carryOut(session)
      .catch((error) => this.#deps.log(`${session}: ${(error as Error).stack ?? error}`))
      .finally(() => this.#running.delete(session));
    this.#running.set(session, carrying);
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
      // No await from here on: the brief describes the current state.
      const { view } = actor;
      if (view.turn || view.handingTo?.id !== request.id || actor.hasProcess) return;
      const prepared = this.#buildPrepared(view, agent, settings, request, summary);
      this.#step("start", () => actor.apply("startHandoff", prepared));
      new PendingBrief(this.#deps.store, session).clear();
    } catch (error) {
      this.#refuse(actor, request, error);
    }
  }

  #refuse(actor: HandoffActor, request: HandoffRequest, error: unknown): void {
    if (!(error instanceof GantryError)) this.#deps.log(`${request.id}: ${(error as Error).stack ?? error}`);
    if (actor.view.handingTo?.id !== request.id) return;
    actor.apply("refuseHandoff", { request, reason: (error as Error).message });
  }

  async #prepare(
    view: SessionView,
    body: Omit<HandoffBody, "interrupt">,
  ): Promise<{ agent: Agent; chosen: StrategyChoice; settings: NextSettings }> {
    const agent = await this.#deps.requireAgent(body.agent);
    const { model, effort, controls, mode = view.mode } = body;
    await this.#deps.checkChoices(agent, { model, effort, controls, mode });
    const chosen = chooseStrategy(view, agent, body.strategy);
    const settings = nextSettings(view, agent, await this.#deps.models(agent.id), body);
    return { agent, chosen, settings };
  }

  #buildPrepared(
    view: SessionView,
    agent: Agent,
    settings: NextSettings,
    request: HandoffRequest,
    summary: string | undefined,
  ): PreparedHandoff {
    const chosen = chooseStrategy(view, agent, request.strategy);
    const built = this.#buildBrief(view, chosen, request);
    const brief = request.brief ?? withSummary(built.text, summary);
    const receipts = request.brief === undefined ? built.receipts : receiptsIn(request.brief, built.receipts);
    const { strategy, handles } = chosen;
    const from = view.agent === agent.id ? undefined : (this.#deps.agent(view.agent)?.name ?? view.agent);
    const text = handoffText({ strategy, from, brief, prompt: request.prompt });
    const { dropped, ...next } = settings;
    const { id, unenforced } = agent;
    const settled = { strategy, handles, dropped, settings: next };
    return { request, brief, receipts, text, agent: { id, unenforced }, ...settled };
  }

  async #brief(view: SessionView, chosen: StrategyChoice, body: HandoffBody): Promise<Brief> {
    const built = this.#buildBrief(view, chosen, body);
    if (body.brief !== undefined) return { text: body.brief, receipts: receiptsIn(body.brief, built.receipts) };
    return { ...built, text: withSummary(built.text, await this.#deps.summarise?.(view.id, built.text)) };
  }

  /** An agent that knows the session up to now gets an empty brief. */
  #buildBrief(view: SessionView, { since }: StrategyChoice, { prompt }: Pick<HandoffBody, "prompt">): Brief {
    if (view.lastSeq > 0 && since >= view.lastSeq) return { text: "", receipts: [] };
    const { store } = this.#deps;
    const facts = since === 0 ? readAllFacts(store, view.id) : readFacts(store, view.id, since);
    const where = { branch: branchOf(view.cwd), lane: view.lane };
    return makeBrief(facts, { limit: this.#deps.briefChars(), prompt, ...where });
  }

  async #summary(view: SessionView, request: HandoffRequest): Promise<string | undefined> {
    if (request.brief !== undefined || !this.#deps.summarise) return undefined;
    const agent = await this.#deps.requireAgent(request.agent);
    const { text } = this.#buildBrief(view, chooseStrategy(view, agent, request.strategy), request);
    return text === "" ? undefined : this.#deps.summarise(view.id, text);
  }

  /** The current state of the handoff. */
  #outcome(view: SessionView, ids: Pick<Handoff, "id" | "from" | "to">): Handoff {
    if (view.handingTo?.id === ids.id) return { ...ids, state: "waiting" };
    const open = view.handoff?.id === ids.id ? view.handoff : undefined;
    if (open) return { ...ids, strategy: open.strategy, state: "started" };
    return this.#readOutcome(view, ids);
  }

  /** The handoff ended already: the log has its outcome. */
  #readOutcome(view: SessionView, ids: Pick<Handoff, "id" | "from" | "to">): Handoff {
    const recent = this.#deps.store.tailEvents(view.id, 500).map((row) => JSON.parse(row.json));
    const end = recent.find(({ type, data }) => type === "handoff.ended" && data.id === ids.id)?.data;
    if (!end || end.outcome === "completed") return { ...ids, strategy: end?.strategy, state: "started" };
    return { ...ids, strategy: end.strategy, state: "failed", reason: end.reason };
  }

  #step<Result>(name: string, run: () => Result): Result {
    this.#deps.onStep?.(`handoff:${name}:before`);
    const reportStep = () => this.#deps.onStep?.(`handoff:${name}:after`);
    const result = run();
    if (result instanceof Promise) return result.finally(reportStep) as Result;
    reportStep();
    return result;
  }
}

/** A model's summary is marked as such, because it has no sources. */
function withSummary(brief: string, summary: string | undefined): string {
  if (!summary || brief === "") return brief;
  return `## Summary (by a model, not checked against the log)\n\n${summary.trim()}\n\n${brief}`;
}
