import type { z } from "zod";
import {
  changeEvents,
  commentEvents,
  contextEvents,
  handoffEvents,
  healthEvents,
  inputEvents,
  limitEvents,
  noticeEvents,
  rawEvents,
} from "./condition.ts";
import { messageEvents, processEvents, sessionEvents, turnEvents } from "./session.ts";
import { planEvents, subagentEvents, taskEvents, textEvents, toolEvents } from "./work.ts";

/** Every durable event with the schema of its data. Types, JSON Schema and docs derive from this table. */
export const eventTable = {
  ...sessionEvents,
  ...turnEvents,
  ...processEvents,
  ...messageEvents,
  ...textEvents,
  ...toolEvents,
  ...planEvents,
  ...inputEvents,
  ...subagentEvents,
  ...taskEvents,
  ...contextEvents,
  ...changeEvents,
  ...commentEvents,
  ...handoffEvents,
  ...limitEvents,
  ...noticeEvents,
  ...healthEvents,
  ...rawEvents,
};

export type EventType = keyof typeof eventTable;

export type EventData<T extends EventType> = z.output<(typeof eventTable)[T]>;

export const eventTypes = Object.keys(eventTable) as EventType[];
