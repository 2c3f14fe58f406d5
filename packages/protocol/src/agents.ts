import { z } from "zod";
import { AgentId } from "./ids.ts";
import { Mode } from "./modes.ts";

export const Model = z.object({
  id: z.string(),
  name: z.string(),
  default: z.boolean().default(false),
  efforts: z.array(z.string()).default([]),
});
export type Model = z.infer<typeof Model>;

export const Problem = z.object({ code: z.string(), message: z.string(), fix: z.string() });
export type Problem = z.infer<typeof Problem>;

/** An agent as it is installed here, asked and not assumed. */
export const AgentRow = z.object({
  id: AgentId,
  name: z.string(),
  state: z.enum(["ready", "missing", "broken", "unknown"]),
  path: z.string().optional(),
  version: z.string().optional(),
  /** `how` tells where the knowledge comes from. */
  auth: z.object({ state: z.enum(["ok", "missing", "unknown"]), how: z.string() }),
  channel: z.string(),
  modes: z.array(Mode),
  /** May a message go into a running turn? */
  steer: z.enum(["inline", "queue"]),
  resume: z.enum(["id", "load", "replay", "none"]),
  fork: z.boolean(),
  models: z.object({ source: z.enum(["live", "fallback"]), items: z.array(Model) }),
  problems: z.array(Problem),
});
export type AgentRow = z.infer<typeof AgentRow>;
