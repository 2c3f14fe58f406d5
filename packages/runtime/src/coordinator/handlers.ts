import type { Handlers } from "../server/handler.ts";
import type { CoordinatorMessage } from "./coordinator.ts";

/** The MCP coordinator over HTTP. */
export interface CoordinatorPort {
  respond(message: CoordinatorMessage): Promise<void>;
}

export function coordinatorHandlers(coordinator: CoordinatorPort): Pick<Handlers, "coordinate"> {
  return {
    coordinate: async ({ query, body, incoming, outgoing }) => {
      await coordinator.respond({ incoming, outgoing, body, decides: query.lead === "1" });
      return "streamed" as const;
    },
  };
}
