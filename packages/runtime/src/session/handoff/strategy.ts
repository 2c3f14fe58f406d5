import { GantryError, type HandoffBody, type HandoffStrategy, type SessionView } from "@gantry/protocol";
import type { Agent } from "../../agents/contract.ts";
import { forkKey } from "../engine/inputs.ts";

/** How the next agent comes by the conversation. */
export type Chosen = {
  strategy: HandoffStrategy;
  /** For people: why this one. */
  why: string;
  /** What the session must keep or forget of native conversations for it. */
  handles: Record<string, string | null>;
  /** The next agent knows the session up to this event. */
  since: number;
};

/**
 * Chooses by what the session keeps of the agent: its own conversation is resumed; the session's own agent goes on in a
 * copy of its conversation; anyone else is told by a brief. Throws `unsupported` for what cannot be.
 */
export function chooseStrategy(view: SessionView, agent: Agent, wanted: HandoffBody["strategy"] = "auto"): Chosen {
  if (wanted === "auto") return fork(view, agent) ?? resume(view, agent) ?? brief(view, agent);
  if (wanted === "brief") return brief(view, agent);
  const chosen = wanted === "fork" ? fork(view, agent) : resume(view, agent);
  if (chosen) return chosen;
  throw new GantryError("unsupported", whyNot(view, agent, wanted), {
    remedy: "Leave `strategy` out, or say brief.",
    details: { agent: agent.id, strategy: wanted },
  });
}

function fork(view: SessionView, agent: Agent): Chosen | undefined {
  const handle = view.handles[agent.id];
  if (view.agent !== agent.id || !agent.fork || !handle) return undefined;
  const handles = { [agent.id]: null, [forkKey(agent.id)]: handle };
  const why = `${agent.name} goes on in a copy of its own conversation.`;
  return { strategy: "fork", why, handles, since: view.lastSeq };
}

function resume(view: SessionView, agent: Agent): Chosen | undefined {
  if (agent.resume === "none" || !view.handles[agent.id]) return undefined;
  const same = view.agent === agent.id;
  const why = same
    ? `${agent.name} goes on with its conversation in a fresh process.`
    : `${agent.name} had this session before; its own conversation goes on.`;
  return { strategy: "resume", why, handles: {}, since: same ? view.lastSeq : (view.leftAt?.[agent.id] ?? 0) };
}

function brief(view: SessionView, agent: Agent): Chosen {
  const why = view.handles[agent.id]
    ? `${agent.name} begins a new conversation with a brief.`
    : `${agent.name} has no conversation of this session yet; it begins one with a brief.`;
  const handles = { [agent.id]: null, [forkKey(agent.id)]: null };
  return { strategy: "brief", why, handles, since: 0 };
}

function whyNot(view: SessionView, agent: Agent, wanted: "fork" | "resume"): string {
  const { name } = agent;
  if (wanted === "fork" && view.agent !== agent.id) return `${name} cannot copy the conversation of another agent.`;
  if (wanted === "fork" && !agent.fork) return `${name} cannot copy a conversation.`;
  if (wanted === "resume" && agent.resume === "none") return `${name} cannot go on with an earlier conversation.`;
  return `This session keeps no conversation of ${name}.`;
}
