import { z } from "zod";
import type { Route } from "../routing/route.ts";
import { AgentCommands } from "./commands.ts";
import { ConversationList } from "./conversations.ts";
import { Offer } from "./offer.ts";
import { AgentRow, TitleWriter } from "./schema.ts";

/** The agents that are installed on this machine. */
export const agentRoutes = {
  listAgents: {
    method: "GET",
    path: "/v1/agents",
    summary: "Lists the agents on this machine; as a stream, each row when its probe ends.",
    query: z.strictObject({ refresh: z.enum(["0", "1"]).optional() }),
    status: 200,
    response: z.object({ agents: z.array(AgentRow) }),
    errors: [],
    stream: true,
    agent: "any",
    client: "agents.list(refresh=false) > agents",
  },
  getAgent: {
    method: "GET",
    path: "/v1/agents/:id",
    summary: "Returns one agent and its setup commands (install, login); `refresh` probes it again.",
    query: z.strictObject({ refresh: z.enum(["0", "1"]).optional() }),
    status: 200,
    response: z.object({ agent: AgentRow, offers: z.array(Offer), titles: TitleWriter }),
    errors: ["no_such_agent"],
    agent: "any",
    client: "agents.get(id, refresh=false)",
  },
  listCommands: {
    method: "GET",
    path: "/v1/agents/:id/commands",
    summary: "Lists slash commands, skills and output styles that the agent has in a folder. Does not start the agent.",
    query: z.strictObject({ cwd: z.string().max(4096).optional() }),
    status: 200,
    response: AgentCommands,
    errors: ["no_such_agent", "invalid"],
    client: "agents.commands(id, cwd?)",
  },
  listConversations: {
    method: "GET",
    path: "/v1/agents/:id/conversations",
    summary: "Lists the conversations that the agent stores, of one folder or of all. Starts the agent to query it.",
    query: z.strictObject({ cwd: z.string().max(4096).optional() }),
    status: 200,
    response: ConversationList,
    errors: ["no_such_agent", "unsupported", "agent_unavailable", "invalid"],
    client: "agents.conversations(id, cwd?)",
  },
} as const satisfies Record<string, Route>;
