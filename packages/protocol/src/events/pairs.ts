/** Event pairs: each start has exactly one end, matched by the key. */
export const pairs = [
  { start: "turn.started", end: "turn.ended", key: "turn" },
  { start: "tool.started", end: "tool.ended", key: "item" },
  { start: "input.requested", end: "input.resolved", key: "id" },
  { start: "subagent.started", end: "subagent.ended", key: "id" },
  { start: "task.started", end: "task.ended", key: "task" },
  { start: "handoff.started", end: "handoff.ended", key: "id" },
] as const;
