import { GantryError, type HandoffBody, type HandoffStrategy, type SessionView } from "@gantry/protocol";
import type { Agent } from "../agents/contract.ts";

/** How context is transferred to the next agent. */
export type StrategyChoice = {
  strategy: HandoffStrategy;
  /** The reason, for people. */
  why: string;
  /** Changes to the native handles that the strategy needs. */
  handles: Record<string, string | null>;
  /** The last event that the next agent knows. */
  since: number;
};

/** The handle under which a session holds the conversation to copy, until it has its own. */
export function forkKey(agent: string): string {
  return `${agent}#fork`;
}

/**
 * Chooses by the handles of the session: the session's own agent continues in a copy of its conversation, an earlier agent
 * resumes its own, and any other gets a brief. Throws `unsupported` for a strategy that is not possible.
 */
export function chooseStrategy(
  view: SessionView,
  agent: Agent,
  wanted: HandoffBody["strategy"] = "auto",
): StrategyChoice {
  if (wanted === "auto") return fork(view, agent) ?? resume(view, agent) ?? brief(view, agent);
  if (wanted === "brief") return brief(view, agent);
  const chosen = wanted === "fork" ? fork(view, agent) : resume(view, agent);
  if (chosen) return chosen;
  throw new GantryError("unsupported", whyNot(view, agent, wanted), {
    remedy: "Omit `strategy`, or use brief.",
    details: { agent: agent.id, strategy: wanted },
  });
}

function fork(view: SessionView, agent: Agent): StrategyChoice | undefined {
  const handle = view.handles[agent.id];
  if (view.agent !== agent.id || !agent.fork || !handle) return undefined;
  const handles = { [agent.id]: null, [forkKey(agent.id)]: handle };
  const why = `${agent.name} continues in a copy of its conversation.`;
  return { strategy: "fork", why, handles, since: view.lastSeq };
}

function resume(view: SessionView, agent: Agent): StrategyChoice | undefined {
  if (agent.resume === "none" || !view.handles[agent.id]) return undefined;
  const same = view.agent === agent.id;
  const why = same
    ? `${agent.name} continues its conversation in a new process.`
    : `${agent.name} had this session before and resumes its own conversation.`;
  return { strategy: "resume", why, handles: {}, since: same ? view.lastSeq : (view.leftAt?.[agent.id] ?? 0) };
}

function brief(view: SessionView, agent: Agent): StrategyChoice {
  const why = view.handles[agent.id]
    ? `${agent.name} starts a new conversation with a brief.`
    : `${agent.name} has no conversation of this session yet and starts one with a brief.`;
  const handles = { [agent.id]: null, [forkKey(agent.id)]: null };
  return { strategy: "brief", why, handles, since: 0 };
}

function whyNot(view: SessionView, agent: Agent, wanted: "fork" | "resume"): string {
  const { name } = agent;
  if (wanted === "fork" && view.agent !== agent.id) return `${name} cannot copy the conversation of another agent.`;
  if (wanted === "fork" && !agent.fork) return `${name} cannot copy a conversation.`;
  if (wanted === "resume" && agent.resume === "none") return `${name} cannot resume an earlier conversation.`;
  return `This session has no conversation of ${name}.`;
}
