import { GantryError } from "@gantry/protocol";
import type { Credentials } from "../credentials.ts";
import type { Handlers } from "../handler.ts";
import type { Tickets } from "../tickets.ts";

export type DaemonPart = {
  version: string;
  startedAt: number;
  credentials: Credentials;
  tickets: Tickets;
  running(): number;
  /** Called after the answer is on its way. */
  onShutdown(agents: "keep" | "release"): void;
};

export function daemonRoutes(
  daemon: DaemonPart,
): Pick<Handlers, "health" | "createTicket" | "redeemTicket" | "stopDaemon"> {
  return {
    health: () => ({ json: { ok: true, version: daemon.version, uptimeMs: Date.now() - daemon.startedAt } }),

    createTicket: () => ({ json: daemon.tickets.issue() }),

    redeemTicket: ({ body }) => {
      if (!daemon.tickets.redeem(body.ticket))
        throw new GantryError("bad_ticket", "The ticket is spent, too old or not one of ours.", {
          remedy: "Run `gantry web` for a new one.",
        });
      return { json: { ok: true }, headers: { "set-cookie": daemon.credentials.issueCookie() } };
    },

    stopDaemon: ({ body, outgoing }) => {
      const agents = body.agents ?? "keep";
      outgoing.once("close", () => daemon.onShutdown(agents));
      return { json: { stopping: true, agents, running: daemon.running() }, headers: { connection: "close" } };
    },
  };
}
