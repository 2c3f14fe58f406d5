import { z } from "zod";
import type { Route } from "../routing/route.ts";
import { McpServerList, McpServerRow, McpServerSettings, SkillList, SkillRow } from "./schema.ts";

const deleted = z.object({ deleted: z.literal(true) });

/** MCP servers and skills for every agent. A change applies to processes that start after it. */
export const kitRoutes = {
  listMcpServers: {
    method: "GET",
    path: "/v1/mcp-servers",
    summary: "Lists the MCP servers of all agents; variables and headers by name only.",
    status: 200,
    response: McpServerList,
    errors: [],
    client: "servers.list()",
  },
  putMcpServer: {
    method: "PUT",
    path: "/v1/mcp-servers/:name",
    summary: "Adds or replaces an MCP server.",
    body: McpServerSettings,
    status: 200,
    response: McpServerRow,
    errors: ["conflict"],
    client: "servers.put(name, body)",
  },
  deleteMcpServer: {
    method: "DELETE",
    path: "/v1/mcp-servers/:name",
    summary: "Removes an MCP server.",
    status: 200,
    response: deleted,
    errors: ["no_such_server", "conflict"],
    client: "servers.delete(name)",
  },
  listSkills: {
    method: "GET",
    path: "/v1/skills",
    summary: "Lists the skills of all agents.",
    status: 200,
    response: SkillList,
    errors: [],
    client: "skills.list()",
  },
  putSkill: {
    method: "PUT",
    path: "/v1/skills/:name",
    summary: "Links a folder with a `SKILL.md` of this name.",
    body: z.strictObject({ path: z.string().min(1).max(4096) }),
    status: 200,
    response: SkillRow,
    errors: ["conflict"],
    client: "skills.put(name, path)",
  },
  deleteSkill: {
    method: "DELETE",
    path: "/v1/skills/:name",
    summary: "Removes the link to a skill; the folder stays.",
    status: 200,
    response: deleted,
    errors: ["no_such_skill", "conflict"],
    client: "skills.delete(name)",
  },
} as const satisfies Record<string, Route>;
