import { z } from "zod";
import { Problem } from "../agents/schema.ts";
import { AgentId } from "../ids/schema.ts";

/** The characters that every agent accepts in the name of a server or skill. */
export const KitName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, "must be lower-case letters, digits, - and _, at most 63 of them");

/** `${NAME}` in a value is replaced from the daemon's environment when an agent starts. */
const Value = z.string().max(32_768);

const Variables = z.record(
  z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, "must be the name of an environment variable"),
  Value,
);

const Headers = z.record(z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_|~-]{1,100}$/, "must be the name of a header"), Value);

/** Fields of both kinds of server. `agents` limits it to these agents; absent: all agents. */
const common = { agents: z.array(AgentId).optional(), enabled: z.boolean().default(true) };

/** A server that is started as a separate process, or one that listens at a URL. */
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

/** An MCP server that Gantry configures for its agents. */
export type McpServer = McpServerSettings & { name: string };

/**
 * MCP servers of one session, by name, in addition to those of all agents; a server of the same name replaces it. Values are
 * used unchanged: they are passed on to the agent and are in no event and no response.
 */
export const SessionServers = z
  .record(
    KitName,
    z.union([
      z.strictObject({ command: z.array(z.string().min(1)).min(1), env: Variables.optional() }),
      z.strictObject({
        url: z.url(),
        transport: z.enum(["http", "sse"]).default("http"),
        headers: Headers.optional(),
      }),
    ]),
  )
  .refine((servers) => Object.keys(servers).length <= 50, "has at most 50 servers");

export type SessionServers = z.infer<typeof SessionServers>;

/** A server as clients see it: variables and headers by name only, without values. */
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

/** The valid servers, and the problems of the others. */
export const McpServerList = z.object({ servers: z.array(McpServerRow), problems: z.array(Problem) });

export type McpServerList = z.infer<typeof McpServerList>;

/** A folder with a `SKILL.md`. An agent reads it when its description matches the task. */
export const Skill = z.object({
  name: KitName,
  description: z.string(),
  /** The folder, absolute. */
  path: z.string(),
});

export type Skill = z.infer<typeof Skill>;

/** `linked`: the folder is outside of Gantry's home and is only linked. */
export const SkillRow = z.object({ ...Skill.shape, linked: z.boolean() });

export type SkillRow = z.infer<typeof SkillRow>;

export const SkillList = z.object({ skills: z.array(SkillRow), problems: z.array(Problem) });

export type SkillList = z.infer<typeof SkillList>;

/** What an agent gets in addition to prompts: servers and skills from the registry, and pinned instructions. */
export type Kit = { instructions?: string; servers: readonly McpServer[]; skills: readonly Skill[] };
