import type { ServerResponse } from "node:http";
import { GantryError } from "@gantry/protocol";
import type { Credentials } from "../access/credentials.ts";
import type { Tickets } from "../access/tickets.ts";
import type { Handlers } from "../handler.ts";

export type DaemonPart = {
  version: string;
  /** As `process.uptime()`. */
  startedAt: number;
  credentials: Credentials;
  tickets: Tickets;
  running(): number;
  /** The number of background tasks that run. */
  tasks(): number;
  /** Ends the requests and streams of pages, except for the given response. */
  endPageStreams(except: ServerResponse): void;
  /** Page credentials were revoked: drops what pages obtained with them, such as tickets of terminals. */
  onRevoke(): void;
  /** Called after the answer is on its way. */
  onShutdown(agents: "keep" | "release"): void;
};

/** The calls that the server answers itself. */
export type DaemonCalls = "health" | "createTicket" | "redeemTicket" | "revokePages" | "stopDaemon";

export function describeHealth(version: string, startedAt: number) {
  return { ok: true as const, version, uptimeMs: Math.round((process.uptime() - startedAt) * 1000) };
}

export function daemonHandlers(daemon: DaemonPart): Pick<Handlers, DaemonCalls> {
  return {
    health: () => ({ json: describeHealth(daemon.version, daemon.startedAt) }),

    createTicket: () => ({ json: daemon.tickets.issue() }),

    redeemTicket: ({ body }) => {
      if (!daemon.tickets.redeem(body.ticket))
        throw new GantryError("bad_ticket", "This ticket has been used, has expired or was never issued.", {
          remedy: "Run `gantry web` for a new one.",
        });
      return { json: daemon.credentials.issuePageCredential() };
    },

    revokePages: ({ outgoing }) => {
      daemon.tickets.revokeAll();
      const revoked = daemon.credentials.revokePageCredentials();
      daemon.onRevoke();
      daemon.endPageStreams(outgoing);
      return { json: { revoked } };
    },

    stopDaemon: ({ body, outgoing }) => {
      const agents = body.agents ?? "keep";
      outgoing.once("close", () => daemon.onShutdown(agents));
      return {
        json: { stopping: true, agents, running: daemon.running(), tasks: daemon.tasks() },
        headers: { connection: "close" },
      };
    },
  };
}
