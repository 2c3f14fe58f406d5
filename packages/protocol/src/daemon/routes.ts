import { z } from "zod";
import type { Route } from "../routing/route.ts";
import { ProcessList } from "./schema.ts";

/** The daemon itself and the credentials of its page. */
export const daemonRoutes = {
  health: {
    method: "GET",
    path: "/v1/health",
    summary: "Reports that the daemon is alive. Needs no token.",
    status: 200,
    response: z.object({ ok: z.boolean(), version: z.string(), uptimeMs: z.number() }),
    errors: [],
    open: true,
    agent: "any",
    client: "health()",
  },
  createTicket: {
    method: "POST",
    path: "/v1/tickets",
    summary: "Creates a one-time ticket that opens the page.",
    bodyOptional: true,
    status: 201,
    response: z.object({ ticket: z.string(), expiresAt: z.iso.datetime() }),
    errors: [],
    client: "ticket()",
  },
  redeemTicket: {
    method: "POST",
    path: "/v1/tickets/redeem",
    summary: "Exchanges a ticket for a page credential. A ticket works once.",
    body: z.strictObject({ ticket: z.string().max(200) }),
    status: 200,
    response: z.object({ credential: z.string(), expiresAt: z.iso.datetime() }),
    errors: ["bad_ticket"],
    open: true,
    client: "redeem(ticket)",
  },
  revokePages: {
    method: "DELETE",
    path: "/v1/tickets",
    summary: "Revokes every page credential and every unused ticket, and ends the streams of open pages.",
    status: 200,
    response: z.object({ revoked: z.number().int() }),
    errors: [],
    client: "revokePages()",
  },
  listProcesses: {
    method: "GET",
    path: "/v1/processes",
    summary: "Lists the agent processes that run, the longest idle first, and the largest number of them.",
    status: 200,
    response: ProcessList,
    errors: [],
    client: "processes()",
  },
  metrics: {
    method: "GET",
    path: "/v1/metrics",
    summary: "Returns figures of the daemon in the text format of Prometheus. For the owner's token only.",
    status: 200,
    response: z.unknown(),
    bytes: true,
    errors: ["not_permitted"],
  },
  stopDaemon: {
    method: "POST",
    path: "/v1/shutdown",
    summary: "Stops the daemon; agents are left running or released.",
    body: z.strictObject({ agents: z.enum(["keep", "release"]).optional() }),
    bodyOptional: true,
    status: 202,
    response: z.object({
      stopping: z.literal(true),
      agents: z.enum(["keep", "release"]),
      /** Agent processes. */
      running: z.number().int(),
      /** Background tasks of these agents. */
      tasks: z.number().int(),
    }),
    errors: [],
    client: 'shutdown(agents="keep")',
  },
} as const satisfies Record<string, Route>;
