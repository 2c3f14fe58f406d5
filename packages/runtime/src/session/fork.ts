import { GantryError, type SessionView } from "@gantry/protocol";
import type { Agent } from "../agents/contract.ts";
import { forkKey } from "./engine/agent-output.ts";

export type ForkBody = { at?: number; agent?: string };

/** What a fork is begun with: the parent's settings and, for an agent that can copy it, the conversation to copy. */
export type Forked = Pick<
  SessionView,
  "agent" | "cwd" | "lane" | "model" | "mode" | "effort" | "instructions" | "title" | "titleBy"
> & {
  handles: Record<string, string>;
};

/** Throws `unsupported` or `turn_running`; changes nothing. */
export function forked(parent: SessionView, agent: Agent, body: ForkBody): Forked {
  const handle = parent.handles[parent.agent];
  if (body.agent && body.agent !== parent.agent) {
    throw new GantryError("unsupported", "A fork goes on with the same agent.", { remedy: "Leave `agent` out." });
  }
  if (body.at !== undefined && body.at !== parent.lastSeq) {
    throw new GantryError("unsupported", "Forking at an earlier event is not possible yet.", {
      remedy: "Leave `at` out.",
    });
  }
  if (!agent.fork || !handle) {
    const why = agent.fork ? "has had no turn yet" : `runs ${agent.name}, which cannot fork`;
    throw new GantryError("unsupported", `${parent.id} ${why}.`);
  }
  if (parent.turn) {
    throw new GantryError("turn_running", `A turn of ${parent.id} is running.`, { remedy: "Wait for its end." });
  }
  const { model, mode, effort, cwd, lane, instructions, titleBy } = parent;
  const title = `${parent.title} (fork)`;
  const handles = { [forkKey(parent.agent)]: handle };
  return { agent: parent.agent, cwd, lane, model, mode, effort, instructions, title, titleBy, handles };
}
