import { z } from "zod";
import type { Route } from "../routing/route.ts";
import { ConversationList } from "./conversations.ts";
import { Offer } from "./offer.ts";
import { AgentRow } from "./schema.ts";

/** The agents that are installed on this machine. */
export const agentRoutes = {
  listAgents: {
    method: "GET",
    path: "/v1/agents",
    summary: "Agents as they are installed; as a stream, a row as it lands.",
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
    summary: "One agent, asked anew with `refresh`, and every command there is to install it or to log it in.",
    query: z.strictObject({ refresh: z.enum(["0", "1"]).optional() }),
    status: 200,
    response: z.object({ agent: AgentRow, offers: z.array(Offer) }),
    errors: ["no_such_agent"],
    agent: "any",
    client: "agents.get(id, refresh=false)",
  },
  listConversations: {
    method: "GET",
    path: "/v1/agents/:id/conversations",
    summary: "Conversations that the agent keeps by itself, of one folder or of all; the agent is started to be asked.",
    query: z.strictObject({ cwd: z.string().max(4096).optional() }),
    status: 200,
    response: ConversationList,
    errors: ["no_such_agent", "unsupported", "agent_unavailable", "invalid"],
    client: "agents.conversations(id, cwd?)",
  },
} as const satisfies Record<string, Route>;
