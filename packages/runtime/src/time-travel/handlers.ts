import type { ServerResponse } from "node:http";
import type { Handlers } from "../server/handler.ts";
import type { TimeTravelService } from "./port.ts";

export function timeTravelHandlers(timeTravel: TimeTravelService): Pick<Handlers, "sessionAt"> {
  return {
    sessionAt: async ({ params, outgoing }) => ({
      json: await timeTravel.at(params.id, Number(params.seq), abortOnClose(outgoing)),
    }),
  };
}

/** A slider abandons requests while it moves: their folds stop. */
function abortOnClose(outgoing: ServerResponse): AbortSignal {
  const abort = new AbortController();
  outgoing.once("close", () => abort.abort());
  return abort.signal;
}
