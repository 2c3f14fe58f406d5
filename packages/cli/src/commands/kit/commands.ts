import { buildCommand, buildRouteMap } from "@stricli/core";
import { docs, proposeAgents, proposeServers, proposeSkills, textFlag, toggle } from "../parameters.ts";

const many = { kind: "parsed", optional: true, variadic: true, parse: String } as const;

export const servers = buildRouteMap({
  routes: {
    ls: buildCommand({
      loader: async () => (await import("./servers.ts")).list,
      parameters: {},
      docs: docs("List the MCP servers of all agents", {
        examples: ["gantry servers ls", "gantry servers --json"],
      }),
    }),
    add: buildCommand({
      loader: async () => (await import("./servers.ts")).add,
      parameters: {
        flags: {
          env: { ...many, brief: "Environment variable of the server", placeholder: "name=value" },
          agent: { ...many, brief: "Only for this agent", placeholder: "id", proposeCompletions: proposeAgents },
          url: textFlag("URL of the server, instead of a command", "url"),
          sse: toggle("Use the older protocol with server-sent events"),
          header: { ...many, brief: "Header of every request", placeholder: "name: value" },
        },
        positional: {
          kind: "array",
          minimum: 1,
          parameter: {
            brief: "Name, then -- and the command that starts it",
            placeholder: "name command",
            parse: String,
          },
        },
      },
      docs: docs("Add an MCP server for all agents, or replace it", {
        more: `Agents use it from their next start; their own configuration files are unchanged.\n\${NAME} in a variable or a header is replaced from the daemon's environment, so that no secret is stored.`,
        usage: "<name> [--env n=v]... [--agent id]... [--url u [--header h]... [--sse]] [-- <command>...]",
        examples: [
          "gantry servers add files -- npx -y @modelcontextprotocol/server-filesystem .",
          `gantry servers add github --url https://api.githubcopilot.com/mcp/ --header 'Authorization: Bearer \${GITHUB_TOKEN}'`,
        ],
      }),
    }),
    rm: buildCommand({
      loader: async () => (await import("./servers.ts")).remove,
      parameters: {
        positional: {
          kind: "tuple",
          parameters: [
            { brief: "Name of the server", placeholder: "name", parse: String, proposeCompletions: proposeServers },
          ],
        },
      },
      docs: docs("Remove an MCP server", { examples: ["gantry servers rm files"] }),
    }),
  },
  defaultCommand: "ls",
  docs: { brief: "MCP servers for every agent" },
});

export const skills = buildRouteMap({
  routes: {
    ls: buildCommand({
      loader: async () => (await import("./skills.ts")).list,
      parameters: {},
      docs: docs("List the skills of all agents", { examples: ["gantry skills ls", "gantry skills --json"] }),
    }),
    add: buildCommand({
      loader: async () => (await import("./skills.ts")).add,
      parameters: {
        positional: {
          kind: "tuple",
          parameters: [{ brief: "Folder that holds a SKILL.md", placeholder: "folder", parse: String }],
        },
      },
      docs: docs("Link a folder with a SKILL.md, for all agents", { examples: ["gantry skills add ./skills/release"] }),
    }),
    rm: buildCommand({
      loader: async () => (await import("./skills.ts")).remove,
      parameters: {
        positional: {
          kind: "tuple",
          parameters: [
            { brief: "Name of the skill", placeholder: "name", parse: String, proposeCompletions: proposeSkills },
          ],
        },
      },
      docs: docs("Remove the link to a skill; its folder stays", { examples: ["gantry skills rm release"] }),
    }),
  },
  defaultCommand: "ls",
  docs: { brief: "Skills for every agent" },
});
