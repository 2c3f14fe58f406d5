/** What is started and must be ended, exactly once: the start's type, the end's type, and the key that pairs them. */
export const pairs = [
  { start: "turn.started", end: "turn.ended", key: "turn" },
  { start: "tool.started", end: "tool.ended", key: "item" },
  { start: "input.requested", end: "input.resolved", key: "id" },
  { start: "subagent.started", end: "subagent.ended", key: "id" },
  { start: "handoff.started", end: "handoff.ended", key: "id" },
] as const;
