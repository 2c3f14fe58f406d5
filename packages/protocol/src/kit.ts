import { z } from "zod";
import { AgentId } from "./ids.ts";

/** Letters that every agent takes in the name of a server or a skill. */
export const KitName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, "must be lower-case letters, digits, - and _, at most 63 of them");

const values = z.record(z.string().min(1).max(200), z.string().max(32_768));

/** What servers of both kinds have. `agents` names those that get it; absent: all. */
const common = { agents: z.array(AgentId).optional(), enabled: z.boolean().default(true) };

/** A server that is started as a process of its own, or one that listens somewhere. */
export const McpServerSettings = z.union([
  z.strictObject({ command: z.array(z.string()).min(1), env: values.optional(), ...common }),
  z.strictObject({
    url: z.url(),
    transport: z.enum(["http", "sse"]).default("http"),
    headers: values.optional(),
    ...common,
  }),
]);
export type McpServerSettings = z.infer<typeof McpServerSettings>;

/** A server of the Model Context Protocol that Gantry offers to its agents. */
export type McpServer = McpServerSettings & { name: string };

/** A folder with a `SKILL.md`, which an agent reads when its description fits the work. */
export const Skill = z.object({
  name: KitName,
  description: z.string(),
  /** The folder, absolute. */
  path: z.string(),
});
export type Skill = z.infer<typeof Skill>;

/**
 * What Gantry gives to an agent beside the prompts: servers and skills from its registry, and words that stand before
 * the whole conversation.
 */
export type Kit = { instructions?: string; servers: readonly McpServer[]; skills: readonly Skill[] };
