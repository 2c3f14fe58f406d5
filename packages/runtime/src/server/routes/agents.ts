import { encodeFrame } from "../../hub/frames.ts";
import { sessionFolder } from "../../session/folders.ts";
import type { Handlers } from "../handler.ts";
import type { Catalogue } from "../ports.ts";
import { EventStream, wantsStream } from "../sse.ts";

export function agentRoutes(catalogue: Catalogue): Pick<Handlers, "listAgents" | "getAgent" | "listConversations"> {
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
      return { json: { agent, offers } };
    },
    listConversations: async ({ params: { id }, query: { cwd } }) => {
      const folder = cwd === undefined ? undefined : sessionFolder({ cwd });
      return { json: await catalogue.conversations(id, folder) };
    },
  };
}
