import type { z } from "zod";
import {
  changeEvents,
  contextEvents,
  handoffEvents,
  healthEvents,
  inputEvents,
  limitEvents,
  noticeEvents,
  rawEvents,
} from "./condition.ts";
import { messageEvents, sessionEvents, turnEvents } from "./session.ts";
import { planEvents, subagentEvents, textEvents, toolEvents } from "./work.ts";

/** Every durable event and the schema of its data. Types, JSON Schema and docs derive from this table. */
export const eventTable = {
  ...sessionEvents,
  ...turnEvents,
  ...messageEvents,
  ...textEvents,
  ...toolEvents,
  ...planEvents,
  ...inputEvents,
  ...subagentEvents,
  ...contextEvents,
  ...changeEvents,
  ...handoffEvents,
  ...limitEvents,
  ...noticeEvents,
  ...healthEvents,
  ...rawEvents,
};

export type EventType = keyof typeof eventTable;
export type EventData<T extends EventType> = z.output<(typeof eventTable)[T]>;
export const eventTypes = Object.keys(eventTable) as EventType[];

/** What is started and must be ended, exactly once: the start's type, the end's type, and the key that pairs them. */
export const pairs = [
  { start: "turn.started", end: "turn.ended", key: "turn" },
  { start: "tool.started", end: "tool.ended", key: "item" },
  { start: "input.requested", end: "input.resolved", key: "id" },
  { start: "subagent.started", end: "subagent.ended", key: "id" },
  { start: "handoff.started", end: "handoff.ended", key: "id" },
] as const;
