import { z } from "zod";
import { ControlSet } from "../controls/schema.ts";
import { AgentId } from "../ids/schema.ts";
import { Mode, UnenforcedModes } from "../modes/schema.ts";
import { Offer } from "./offer.ts";

export const Model = z.object({
  id: z.string(),
  name: z.string(),
  default: z.boolean().default(false),
  efforts: z.array(z.string()).default([]),
  /** The maker's name of the model behind an alias such as `opus`, if the agent reports it. */
  resolves: z.string().optional(),
  /** From the agent, else from the built-in catalogue, if it knows the model. */
  contextWindow: z.number().int().optional(),
  maxTokens: z.number().int().optional(),
  /** Dollars for a million tokens. */
  price: z.object({ input: z.number(), output: z.number() }).optional(),
  images: z.boolean().optional(),
  /** It runs on this machine: no list price applies. */
  local: z.boolean().optional(),
  /** The agent advises against it, because it will be removed. */
  deprecated: z.boolean().optional(),
});

export type Model = z.infer<typeof Model>;

export const Problem = z.object({ code: z.string(), message: z.string(), fix: z.string() });

export type Problem = z.infer<typeof Problem>;

/** How an agent receives the shared kit: by its own mechanism, or as text before the first prompt. An agent without `servers` support gets none. */
export const KitSupport = z.object({
  servers: z.boolean(),
  skills: z.enum(["own", "prompt"]),
  instructions: z.enum(["own", "prompt"]),
});

export type KitSupport = z.infer<typeof KitSupport>;

/**
 * The supported versions of an agent, both ends included. `oldest` may name a line of versions (`1.3`). `fit` is how the
 * installed version relates to them: an older one is not supported, a newer one has not been tested. Both can be used.
 */
export const VersionRange = z.object({
  oldest: z.string(),
  newest: z.string(),
  fit: z.enum(["supported", "older", "newer"]).optional(),
});

export type VersionRange = z.infer<typeof VersionRange>;

/** What can be done with an agent, as flags. Gantry can fork every session; `fork` is a copy by the agent itself. */
export const Capabilities = z.object({
  /** Attached images reach the model. */
  images: z.boolean(),
  /** It asks its user questions. */
  questions: z.boolean(),
  /** It has a plan mode. */
  plan: z.boolean(),
  /** It accepts messages during a turn. */
  steer: z.boolean(),
  resume: z.boolean(),
  fork: z.boolean(),
  /** It copies its conversation up to an earlier turn. */
  forkAt: z.boolean(),
  /** It compacts its conversation on request. */
  compaction: z.boolean(),
  /** It reports background tasks. */
  tasks: z.boolean(),
  /** It works in further folders of a session. */
  folders: z.boolean(),
  /** It lists slash commands. */
  commands: z.boolean(),
});

export type Capabilities = z.infer<typeof Capabilities>;

/** An agent as its probe found it on this machine. */
export const AgentRow = z.object({
  id: AgentId,
  name: z.string(),
  state: z.enum(["ready", "missing", "broken", "unknown"]),
  path: z.string().optional(),
  version: z.string().optional(),
  versions: VersionRange.optional(),
  /** `how` names the evidence for the state. */
  auth: z.object({
    state: z.enum(["ok", "missing", "unknown"]),
    how: z.string(),
    /** The account, if the agent reports it. */
    account: z.string().optional(),
  }),
  channel: z.string(),
  modes: z.array(Mode),
  /** The modes of `modes` that cannot be enforced against the agent's own configuration, each with the reason. */
  unenforced: UnenforcedModes.optional(),
  /** Rungs of the ladder that the agent lacks on this channel, each with the reason. */
  lacks: UnenforcedModes.optional(),
  /** Whether a message can be injected into a running turn. */
  steer: z.enum(["inline", "queue"]),
  resume: z.enum(["id", "load", "replay", "none"]),
  fork: z.boolean(),
  /** Whether an approval may carry an edited tool input. */
  edits: z.boolean().optional(),
  /** Whether it reports background tasks, and whether one can be stopped. */
  tasks: z.enum(["stop", "list"]).optional(),
  /** Settings that only this agent has. Absent: none. */
  controls: ControlSet.optional(),
  /** Absent for an invalid profile. */
  capabilities: Capabilities.optional(),
  /** A scripted agent for demonstrations. */
  demo: z.boolean().optional(),
  kit: KitSupport.optional(),
  models: z.object({ source: z.enum(["live", "fallback"]), items: z.array(Model) }),
  problems: z.array(Problem),
  /** Setup commands: they install a missing agent or log it in. */
  offers: z.array(Offer),
  /** The time of the probe; absent if the probe failed. */
  askedAt: z.iso.datetime().optional(),
});

export type AgentRow = z.infer<typeof AgentRow>;

/** The model that would write titles of the agent's sessions, and why; without a `model`, why there is none. */
export const TitleWriter = z.object({ agent: AgentId.optional(), model: z.string().optional(), why: z.string() });

export type TitleWriter = z.infer<typeof TitleWriter>;
