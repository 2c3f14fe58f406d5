import { type Envelope, GantryError, type SessionView } from "@gantry/protocol";
import type { Agent } from "../agents/contract.ts";
import { forkKey } from "./engine/inputs.ts";

export type ForkBody = { at?: number; agent?: string; model?: string };

/** Where a fork is to be, if not in its parent's folder, and under which id. */
export type ForkPlace = { id?: string; cwd?: string; lane?: string };

/** Where in its parent's log a fork begins: after the turn that holds an event. */
export type ForkPoint = { turn: string; until: number; isLast: boolean };

/** What a fork is begun with: the parent's settings and, for an agent that can copy it, the conversation to copy. */
export type ForkSettings = Pick<
  SessionView,
  "agent" | "cwd" | "lane" | "model" | "mode" | "effort" | "instructions" | "title" | "titleBy"
> & {
  handles: Record<string, string>;
};

/** The turn in which event `at` is, or the last one. Throws `unsupported`, `invalid` or `turn_running`. */
export function forkPoint(parent: SessionView, turnEvents: Iterable<Envelope>, at = parent.lastSeq): ForkPoint {
  if (at > parent.lastSeq) {
    throw new GantryError("invalid", `${parent.id} has ${parent.lastSeq} events, and none with the number ${at}.`);
  }
  let point: { turn: string; until?: number; isLast: boolean } | undefined;
  for (const { type, turn = "", seq } of turnEvents) {
    if (type === "turn.started" && seq <= at) point = { turn, isLast: true };
    else if (type === "turn.started" && point) point.isLast = false;
    else if (type === "turn.ended" && turn === point?.turn) point.until = seq;
  }
  if (!point) throw new GantryError("unsupported", `Nothing was said in ${parent.id} until then.`);
  const { turn, until, isLast } = point;
  if (until !== undefined) return { turn, until, isLast };
  throw new GantryError("turn_running", `This turn of ${parent.id} is running.`, {
    remedy: "Wait for its end, or name an earlier event.",
  });
}

/**
 * At the end of its log a conversation is copied by an agent that can; anywhere else, and with any other agent, the fork is
 * told of it from the log (`handles` is empty then).
 */
export function forkSettings(parent: SessionView, agent: Agent, { isLast }: ForkPoint, body: ForkBody): ForkSettings {
  const { mode, cwd, lane, instructions, titleBy } = parent;
  const isSame = agent.id === parent.agent;
  const handle = isSame && isLast && agent.fork ? parent.handles[agent.id] : undefined;
  const title = `${parent.title} (fork)`;
  const model = body.model ?? (isSame ? parent.model : undefined);
  const effort = isSame ? parent.effort : undefined;
  const handles: Record<string, string> = handle ? { [forkKey(agent.id)]: handle } : {};
  return { agent: agent.id, cwd, lane, model, mode, effort, instructions, title, titleBy, handles };
}
