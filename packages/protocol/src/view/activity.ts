import type { Envelope } from "../events/envelope.ts";
import type { EventType } from "../events/table.ts";
import type { SessionView } from "./types.ts";

/** Events of the conversation. All others, such as system notes and comments, change neither unread, age nor order. */
export const activityTypes: readonly EventType[] = [
  "session.created",
  "turn.started",
  "turn.ended",
  "message.user",
  "message.done",
  "reasoning.done",
  "tool.started",
  "tool.ended",
  "plan.updated",
  "subagent.started",
  "subagent.ended",
  "input.requested",
  "input.resolved",
  "handoff.started",
  "handoff.ended",
  "error",
];

const ACTIVITY: ReadonlySet<EventType> = new Set(activityTypes);

export function isActivity(event: Envelope): boolean {
  return ACTIVITY.has(event.type);
}

export type LastActivity = { seq: number; at: string };

type WithActivity = Pick<SessionView, "activity" | "last" | "lastSeq" | "turn" | "lastTurn" | "createdAt">;

/** The last event of the conversation. Views of older logs do not store it; then it is the end of the last turn. */
export function lastActivity(view: WithActivity): LastActivity {
  if (view.activity) return view.activity;
  const at = view.turn?.startedAt ?? view.lastTurn?.endedAt ?? view.createdAt;
  return { seq: view.last?.seq ?? view.lastSeq, at };
}
