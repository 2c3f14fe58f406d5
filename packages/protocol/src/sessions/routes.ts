import { z } from "zod";
import { Handoff, HandoffBody, HandoffPlan } from "../handoff/schema.ts";
import { SessionId } from "../ids/schema.ts";
import { decimal } from "../routing/decimal.ts";
import type { Route } from "../routing/route.ts";
import { Applied, CreateSession, Interrupt, Interrupted, Item, PatchSession, Session } from "./schema.ts";

const session = ["no_such_session"] as const;

/** Sessions, and what can be done to one: interrupt, close, hand off, resume. */
export const sessionRoutes = {
  createSession: {
    method: "POST",
    path: "/v1/sessions",
    summary:
      "Creates a session, optionally with a first prompt. Idempotent: the same id and body return 200 and the same session.",
    body: CreateSession,
    status: 201,
    response: Session,
    errors: [
      "invalid",
      "no_such_agent",
      "no_such_lane",
      "lane_gone",
      "conflict",
      "agent_unavailable",
      "outside_folder",
      "unsupported",
    ],
    agent: "checked",
    client: "sessions.create(body)",
  },
  listSessions: {
    method: "GET",
    path: "/v1/sessions",
    summary:
      "Lists sessions, newest first. Archived sessions need `archived=1` (only those) or `archived=all`; sessions of identities need `identities=1` or `identities=all`.",
    query: z.strictObject({
      state: z.enum(["idle", "running", "waiting", "limited", "ended"]).optional(),
      q: z.string().max(200).optional(),
      archived: z.enum(["0", "1", "all"]).optional(),
      identities: z.enum(["0", "1", "all"]).optional(),
      limit: decimal(1, 500).optional(),
      cursor: z.string().max(200).optional(),
    }),
    status: 200,
    response: z.object({ sessions: z.array(Session), nextCursor: z.string().optional() }),
    errors: ["invalid"],
    agent: "checked",
    client: "sessions.list(query?)",
  },
  startDemo: {
    method: "POST",
    path: "/v1/demo",
    summary:
      "Starts a demo session in a temporary project, without key or network. Idempotent: the same id returns 200 and the same session.",
    body: z.strictObject({ id: SessionId.optional() }),
    bodyOptional: true,
    status: 201,
    response: Session,
    errors: ["conflict", "agent_unavailable"],
    client: "sessions.demo(id?)",
  },
  getSession: {
    method: "GET",
    path: "/v1/sessions/:id",
    summary: "Returns one session, with the agent's slash commands.",
    status: 200,
    response: Session,
    errors: session,
    agent: "family",
    client: "sessions.get(id)",
  },
  patchSession: {
    method: "PATCH",
    path: "/v1/sessions/:id",
    summary:
      "Changes title, model, mode, effort, budget or automatic resume; the response lists when each change takes effect. Archives a session, which releases its process, or restores it.",
    body: PatchSession,
    status: 200,
    response: Applied,
    errors: [...session, "session_ended", "turn_running", "input_pending", "other_family", "invalid"],
    agent: "checked",
    client: "sessions.patch(id, body)",
  },
  deleteSession: {
    method: "DELETE",
    path: "/v1/sessions/:id",
    summary: "Stops the session, then removes its log, spool and blobs.",
    status: 200,
    response: z.object({ deleted: z.literal(true) }),
    errors: session,
    client: "sessions.delete(id)",
  },
  interrupt: {
    method: "POST",
    path: "/v1/sessions/:id/interrupt",
    summary: "Interrupts the running turn; does nothing when idle.",
    body: Interrupt,
    bodyOptional: true,
    status: 200,
    response: Interrupted,
    errors: session,
    agent: "below",
    client: 'sessions.interrupt(id, queue="keep")',
  },
  closeSession: {
    method: "POST",
    path: "/v1/sessions/:id/close",
    summary: "Releases the agent's process; the session resumes with the next message.",
    bodyOptional: true,
    status: 200,
    response: z.object({ released: z.boolean() }),
    errors: [...session, "turn_running"],
    agent: "below",
    client: "sessions.close(id)",
  },
  getItem: {
    method: "GET",
    path: "/v1/sessions/:id/items/:item",
    summary: "Returns one item in full, open or closed.",
    status: 200,
    response: Item,
    errors: [...session, "no_such_item"],
    agent: "family",
    client: "sessions.item(id, item)",
  },
  handOff: {
    method: "POST",
    path: "/v1/sessions/:id/handoff",
    summary:
      "Hands the session off to another agent, which continues at once with a brief. With `dry=1`, returns 200 and the plan with an editable brief; nothing changes.",
    query: z.strictObject({ dry: z.enum(["0", "1"]).optional() }),
    body: HandoffBody,
    status: 202,
    response: z.union([Session.extend({ handoff: Handoff }), HandoffPlan]),
    errors: [
      "no_such_session",
      "session_ended",
      "no_such_agent",
      "agent_unavailable",
      "turn_running",
      "input_pending",
      "handoff_pending",
      "unsupported",
      "invalid",
    ],
  },
  resumeSession: {
    method: "POST",
    path: "/v1/sessions/:id/resume",
    summary: "Resumes a session that is held by a limit; does nothing otherwise.",
    bodyOptional: true,
    status: 200,
    response: Session,
    errors: ["no_such_session", "conflict"],
    client: "limits.resumeSession(id)",
  },
} as const satisfies Record<string, Route>;
