import { z } from "zod";

/** `command`: a shell command. `server`: a command that serves, such as a dev server. `teammate`: an agent that takes messages. */
export const TaskKind = z.enum(["command", "subagent", "teammate", "server"]);

export type TaskKind = z.infer<typeof TaskKind>;

/** `lost`: its result is unknown. It ended with the agent's process, or the agent does not report results. */
export const TaskEnd = z.enum(["ok", "error", "stopped", "lost"]);

export type TaskEnd = z.infer<typeof TaskEnd>;

/** The agent's own id of a task; characters that a path cannot have are replaced. */
export const TaskId = z.string().regex(/^[A-Za-z0-9_.:#@-]{1,150}$/, "must be the id of a task");

/** Background work of an agent, which can outlive the turn that started it. */
export const Task = z.object({
  /** Unique among the running tasks of the session. */
  task: TaskId,
  kind: TaskKind,
  title: z.string(),
  /** The shell command, shortened. */
  command: z.string().optional(),
  /** The process of a command that the agent does not watch: Gantry reports its end and stops it. */
  pid: z.number().int().positive().optional(),
  /** The tool call that started it. */
  item: z.string().optional(),
  /** The task that started it. */
  parent: TaskId.optional(),
  status: z.union([z.literal("running"), TaskEnd]),
  /** What it does now, in one line. */
  activity: z.string().optional(),
  /** A stop was requested, and the agent has not confirmed it yet. */
  stopping: z.boolean().optional(),
  /** The time of that request. */
  stoppingSince: z.iso.datetime().optional(),
  /** The result, in one line. */
  summary: z.string().optional(),
  /** Why it was lost or stopped. */
  reason: z.string().optional(),
  exitCode: z.number().int().optional(),
  /** Where a server listens. */
  url: z.string().optional(),
  /** A file with its output. */
  file: z.string().optional(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().optional(),
});

export type Task = z.infer<typeof Task>;

/** The end of a task's output. */
export const TaskOutput = z.object({
  text: z.string(),
  /** Earlier output is left out. */
  cut: z.boolean(),
  /**
   * `file`: the file that the agent reports. `process`: the file that the running process writes to. `item`: the result of
   * the tool call that started it. `none`: the agent reports no output.
   */
  source: z.enum(["file", "process", "item", "none"]),
});

export type TaskOutput = z.infer<typeof TaskOutput>;
