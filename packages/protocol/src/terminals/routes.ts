import { z } from "zod";
import { decimal } from "../routing/decimal.ts";
import type { Route } from "../routing/route.ts";
import { OpenTerminal, Terminal, TerminalInput, TerminalSize } from "./schema.ts";

const missing = ["no_such_terminal"] as const;

/** Terminals on the daemon's machine, for logins and for shells. */
export const terminalRoutes = {
  openTerminal: {
    method: "POST",
    path: "/v1/terminals",
    summary: "Opens a terminal that runs a setup command, a given command, or the user's login shell.",
    body: OpenTerminal,
    bodyOptional: true,
    status: 201,
    response: Terminal,
    errors: ["invalid", "no_such_session", "no_such_agent", "unsupported", "too_many_terminals", "unavailable"],
    client: "terminals.open(body?)",
  },
  listTerminals: {
    method: "GET",
    path: "/v1/terminals",
    summary: "Lists terminals, oldest first; ended ones are retained for a while.",
    status: 200,
    response: z.object({ terminals: z.array(Terminal) }),
    errors: [],
    client: "terminals.list() > terminals",
  },
  getTerminal: {
    method: "GET",
    path: "/v1/terminals/:id",
    summary:
      "Returns one terminal; as a stream, `output` from byte `after` (or Last-Event-ID), `gap` for output that is no longer retained, then `exit`.",
    query: z.strictObject({ after: decimal(0).optional() }),
    status: 200,
    response: Terminal,
    errors: [...missing, "invalid"],
    stream: true,
    client: "terminals.get(id)",
  },
  createTerminalTicket: {
    method: "POST",
    path: "/v1/terminals/:id/tickets",
    summary: "Creates a ticket that opens the stream of this terminal once, within 30 seconds.",
    status: 201,
    response: z.object({ ticket: z.string(), expiresAt: z.iso.datetime() }),
    errors: missing,
    client: "terminals.ticket(id)",
  },
  streamTerminal: {
    method: "GET",
    path: "/v1/terminals/:id/stream",
    summary: "The stream of `GET /v1/terminals/:id`, opened by a ticket instead of a credential.",
    query: z.strictObject({ ticket: z.string().min(1).max(100), after: decimal(0).optional() }),
    status: 200,
    response: Terminal,
    errors: ["bad_ticket", ...missing, "invalid"],
    stream: true,
    open: true,
  },
  typeIntoTerminal: {
    method: "POST",
    path: "/v1/terminals/:id/input",
    summary: "Sends keyboard input to a terminal.",
    body: TerminalInput,
    allowsNul: true,
    status: 200,
    response: Terminal,
    errors: [...missing, "invalid", "conflict"],
    client: "terminals.type(id, data)",
  },
  resizeTerminal: {
    method: "POST",
    path: "/v1/terminals/:id/resize",
    summary: "Sets the size of a terminal.",
    body: TerminalSize,
    status: 200,
    response: Terminal,
    errors: [...missing, "invalid", "conflict"],
    client: "terminals.resize(id, cols, rows)",
  },
  closeTerminal: {
    method: "DELETE",
    path: "/v1/terminals/:id",
    summary: "Terminates all processes of a terminal and removes it.",
    status: 200,
    response: z.object({ deleted: z.literal(true) }),
    errors: missing,
    client: "terminals.close(id)",
  },
} as const satisfies Record<string, Route>;
