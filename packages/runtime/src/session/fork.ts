import { type Envelope, GantryError, type SessionView } from "@gantry/protocol";
import type { Agent } from "../agents/contract.ts";
import { forkKey } from "./engine/inputs.ts";

export type ForkBody = { at?: number; agent?: string; model?: string };

/** The folder or lane of a fork, if not its parent's, and its id. */
export type ForkPlace = { id?: string; cwd?: string; lane?: string };

/** Where a fork starts in its parent's log: after the turn that contains an event. */
export type ForkPoint = { turn: string; until: number; isLast: boolean };

/** The settings of a fork and, if its agent can copy one, the conversation to copy. */
export type ForkSettings = Pick<
  SessionView,
  "agent" | "cwd" | "lane" | "model" | "mode" | "effort" | "instructions" | "title" | "titleBy"
> & {
  handles: Record<string, string>;
};

/** The turn that contains event `at`, or the last one. Throws `unsupported`, `invalid` or `turn_running`. */
export function forkPoint(parent: SessionView, turnEvents: Iterable<Envelope>, at = parent.lastSeq): ForkPoint {
  if (at > parent.lastSeq) {
    throw new GantryError("invalid", `${parent.id} has ${parent.lastSeq} events, so there is no event ${at}.`);
  }
  let point: { turn: string; until?: number; isLast: boolean } | undefined;
  for (const { type, turn = "", seq } of turnEvents) {
    if (type === "turn.started" && seq <= at) point = { turn, isLast: true };
    else if (type === "turn.started" && point) point.isLast = false;
    else if (type === "turn.ended" && turn === point?.turn) point.until = seq;
  }
  if (!point) throw new GantryError("unsupported", `${parent.id} has no turn before that event.`);
  const { turn, until, isLast } = point;
  if (until !== undefined) return { turn, until, isLast };
  throw new GantryError("turn_running", `This turn of ${parent.id} is running.`, {
    remedy: "Wait for its end, or pass an earlier event.",
  });
}

/**
 * A fork at the end of the log copies the native conversation if the agent can. Any other fork gets a brief from the log;
 * `handles` is then empty.
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
