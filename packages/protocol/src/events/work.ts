import { z } from "zod";
import { Text } from "../content/schema.ts";
import { FileChange } from "../files/schema.ts";
import { ItemId } from "../ids/schema.ts";
import { Task, TaskEnd, TaskKind } from "../tasks/schema.ts";
import { Usage } from "../usage/schema.ts";
import { toolKinds } from "./tool-kinds.ts";

export const ToolKind = z.enum(toolKinds);

export type ToolKind = z.infer<typeof ToolKind>;

const Location = z.object({ path: z.string(), line: z.number().int().optional() });

export const textEvents = {
  "message.done": z.object({
    item: ItemId,
    text: z.string(),
    phase: z.enum(["commentary", "final"]).optional(),
    /** The subagent or tool call that contains it. */
    parent: z.string().optional(),
  }),
  /** Items that were streamed and then discarded by the agent. */
  "message.retracted": z.object({ items: z.array(ItemId), reason: z.string().optional() }),
  "reasoning.done": z.object({
    item: ItemId,
    text: z.string(),
    redacted: z.boolean().default(false),
    parent: z.string().optional(),
  }),
};

export const toolEvents = {
  "tool.started": z.object({
    item: ItemId,
    name: z.string(),
    kind: ToolKind,
    title: z.string(),
    input: z.unknown().optional(),
    locations: z.array(Location).optional(),
    parent: z.string().optional(),
    mcp: z.object({ server: z.string(), tool: z.string() }).optional(),
  }),
  "tool.updated": z.object({
    item: ItemId,
    patch: z.object({
      title: z.string().optional(),
      input: z.unknown().optional(),
      locations: z.array(Location).optional(),
      output: Text.optional(),
      progress: z.unknown().optional(),
    }),
  }),
  "tool.ended": z.object({
    item: ItemId,
    status: z.enum(["ok", "error", "denied", "interrupted"]),
    output: Text.optional(),
    structured: z.unknown().optional(),
    exitCode: z.number().int().nullable().optional(),
    durationMs: z.number().optional(),
    changes: z.array(FileChange).optional(),
  }),
};

export const planEvents = {
  "plan.updated": z.object({
    entries: z.array(
      z.object({
        text: z.string(),
        status: z.enum(["pending", "in_progress", "completed"]),
        priority: z.enum(["low", "medium", "high"]).optional(),
      }),
    ),
    explanation: z.string().optional(),
  }),
};

export const subagentEvents = {
  "subagent.started": z.object({
    id: z.string(),
    /** The tool call or subagent that started it. */
    parent: z.string().optional(),
    type: z.string().optional(),
    title: z.string(),
    model: z.string().optional(),
  }),
  "subagent.updated": z.object({ id: z.string(), progress: z.unknown() }),
  "subagent.ended": z.object({
    id: z.string(),
    status: z.enum(["ok", "error", "interrupted"]),
    summary: z.string().optional(),
    usage: Usage.partial().optional(),
  }),
};

/** Work that can outlive its turn. A task ends when the agent reports it, or as `lost` with the agent's process. */
export const taskEvents = {
  "task.started": Task.pick({
    ...{ task: true, kind: true, title: true, command: true, pid: true, item: true, parent: true, file: true },
  }),
  "task.updated": Task.pick({ task: true, activity: true, stopping: true, file: true }).extend({
    title: z.string().optional(),
    /** A command turned out to be a server. */
    kind: TaskKind.optional(),
    url: z.string().optional(),
  }),
  "task.ended": Task.pick({ task: true, summary: true, reason: true, exitCode: true, file: true }).extend({
    status: TaskEnd,
  }),
};
