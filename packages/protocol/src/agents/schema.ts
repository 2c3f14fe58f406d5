import { z } from "zod";
import { AgentId } from "../ids/schema.ts";
import { Mode } from "../modes/schema.ts";
import { Offer } from "./offer.ts";

export const Model = z.object({
  id: z.string(),
  name: z.string(),
  default: z.boolean().default(false),
  efforts: z.array(z.string()).default([]),
});

export type Model = z.infer<typeof Model>;

export const Problem = z.object({ code: z.string(), message: z.string(), fix: z.string() });

export type Problem = z.infer<typeof Problem>;

/**
 * How an agent comes by what Gantry gives to all: by its own means, or as words before the first prompt. One without
 * `servers` goes without them.
 */
export const KitSupport = z.object({
  servers: z.boolean(),
  skills: z.enum(["own", "prompt"]),
  instructions: z.enum(["own", "prompt"]),
});

export type KitSupport = z.infer<typeof KitSupport>;

/** An agent as it is installed here, asked and not assumed. */
export const AgentRow = z.object({
  id: AgentId,
  name: z.string(),
  state: z.enum(["ready", "missing", "broken", "unknown"]),
  path: z.string().optional(),
  version: z.string().optional(),
  /** `how` tells where the knowledge comes from. */
  auth: z.object({
    state: z.enum(["ok", "missing", "unknown"]),
    how: z.string(),
    /** The account, where the agent names it. */
    account: z.string().optional(),
  }),
  channel: z.string(),
  modes: z.array(Mode),
  /** May a message go into a running turn? */
  steer: z.enum(["inline", "queue"]),
  resume: z.enum(["id", "load", "replay", "none"]),
  fork: z.boolean(),
  /** Does it take a changed tool input with an approval? */
  edits: z.boolean().optional(),
  /** It plays scripts for demonstrations and does nobody's work. */
  demo: z.boolean().optional(),
  kit: KitSupport.optional(),
  models: z.object({ source: z.enum(["live", "fallback"]), items: z.array(Model) }),
  problems: z.array(Problem),
  /** Commands that would make it usable: installing one that is missing, logging in one that is not. */
  offers: z.array(Offer),
  /** When it was asked; absent for an agent that could not be. */
  askedAt: z.iso.datetime().optional(),
});

export type AgentRow = z.infer<typeof AgentRow>;
