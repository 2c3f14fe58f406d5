import { z } from "zod";
import { Problem } from "../agents/schema.ts";
import { AgentId } from "../ids/schema.ts";

/** Letters that every agent takes in the name of a server or a skill. */
export const KitName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, "must be lower-case letters, digits, - and _, at most 63 of them");

/** `${NAME}` in a value is replaced by that variable of the daemon's environment when an agent is started. */
const Value = z.string().max(32_768);

const Variables = z.record(
  z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, "must be the name of an environment variable"),
  Value,
);

const Headers = z.record(z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_|~-]{1,100}$/, "must be the name of a header"), Value);

/** What servers of both kinds have. `agents` names those that get it; absent: all. */
const common = { agents: z.array(AgentId).optional(), enabled: z.boolean().default(true) };

/** A server that is started as a process of its own, or one that listens somewhere. */
export const McpServerSettings = z.union([
  z.strictObject({ command: z.array(z.string().min(1)).min(1), env: Variables.optional(), ...common }),
  z.strictObject({
    url: z.url(),
    transport: z.enum(["http", "sse"]).default("http"),
    headers: Headers.optional(),
    ...common,
  }),
]);

export type McpServerSettings = z.infer<typeof McpServerSettings>;

/** A server of the Model Context Protocol that Gantry offers to its agents. */
export type McpServer = McpServerSettings & { name: string };

/** A server as it is told to clients: of its variables and headers only the names. */
export const McpServerRow = z.object({
  name: KitName,
  enabled: z.boolean(),
  agents: z.array(AgentId).optional(),
  command: z.array(z.string()).optional(),
  url: z.string().optional(),
  transport: z.enum(["http", "sse"]).optional(),
  env: z.array(z.string()).optional(),
  headers: z.array(z.string()).optional(),
});

export type McpServerRow = z.infer<typeof McpServerRow>;

/** The servers that can be offered, and what is wrong with the others. */
export const McpServerList = z.object({ servers: z.array(McpServerRow), problems: z.array(Problem) });

export type McpServerList = z.infer<typeof McpServerList>;

/** A folder with a `SKILL.md`, which an agent reads when its description fits the work. */
export const Skill = z.object({
  name: KitName,
  description: z.string(),
  /** The folder, absolute. */
  path: z.string(),
});

export type Skill = z.infer<typeof Skill>;

/** `linked`: the folder lies elsewhere, and Gantry only points to it. */
export const SkillRow = z.object({ ...Skill.shape, linked: z.boolean() });

export type SkillRow = z.infer<typeof SkillRow>;

export const SkillList = z.object({ skills: z.array(SkillRow), problems: z.array(Problem) });

export type SkillList = z.infer<typeof SkillList>;

/**
 * What Gantry gives to an agent beside the prompts: servers and skills from its registry, and words that stand before
 * the whole conversation.
 */
export type Kit = { instructions?: string; servers: readonly McpServer[]; skills: readonly Skill[] };
