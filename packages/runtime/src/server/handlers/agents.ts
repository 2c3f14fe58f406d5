import type { AgentCommands, AgentRow, ConversationList, Offer, TitleWriter } from "@gantry/protocol";
import { encodeFrame } from "../../hub/frames.ts";
import { sessionFolder } from "../../session/folders.ts";
import type { Handlers } from "../handler.ts";
import { EventStream, wantsStream } from "../sse.ts";

/** The agents of this machine, probed and remembered. */
export interface AgentCatalogue {
  list(refresh?: boolean): Promise<AgentRow[]>;
  /** Calls `onRow` for each agent as its probe ends; resolves after the last. */
  stream(refresh: boolean, onRow: (row: AgentRow) => void): Promise<void>;
  /** One row. Throws `no_such_agent`. */
  row(id: string, refresh?: boolean): Promise<AgentRow>;
  /** All commands that install an agent or log it in. Throws `no_such_agent`. */
  offers(id: string): Promise<{ offers: Offer[] }>;
  /** The conversations in the agent's own history, of one folder or of all. Throws `no_such_agent`, `unsupported`, `agent_unavailable`. */
  conversations(id: string, cwd?: string): Promise<ConversationList>;
}

/** Commands, skills and output styles of an agent in a folder, without starting it. Throws `no_such_agent`. */
export type CommandLookup = (agent: string, folder?: string) => Promise<AgentCommands>;

/** Which model writes titles. */
export interface TitleWriters {
  /** Sends no request to a model. Never rejects. */
  explain(agent: string): Promise<TitleWriter>;
}

export function agentHandlers(
  catalogue: AgentCatalogue,
  commands: CommandLookup,
  writers: TitleWriters,
): Pick<Handlers, "listAgents" | "getAgent" | "listCommands" | "listConversations"> {
  return {
    listAgents: async ({ query, incoming, outgoing }) => {
      const refresh = query.refresh === "1";
      if (!wantsStream(incoming)) return { json: { agents: await catalogue.list(refresh) } };
      const stream = new EventStream(outgoing);
      try {
        await catalogue.stream(refresh, (row) => stream.write(encodeFrame("agent", row)));
        stream.write(encodeFrame("done", {}));
      } finally {
        stream.end();
      }
      return "streamed";
    },
    getAgent: async ({ params: { id }, query }) => {
      const [agent, { offers }] = await Promise.all([catalogue.row(id, query.refresh === "1"), catalogue.offers(id)]);
      return { json: { agent, offers, titles: await writers.explain(id) } };
    },
    listCommands: async ({ params: { id }, query: { cwd } }) => {
      const folder = cwd === undefined ? undefined : sessionFolder({ cwd });
      return { json: await commands(id, folder) };
    },
    listConversations: async ({ params: { id }, query: { cwd } }) => {
      const folder = cwd === undefined ? undefined : sessionFolder({ cwd });
      return { json: await catalogue.conversations(id, folder) };
    },
  };
}
