import { z } from "zod";
import { AgentRow } from "../agents.ts";
import { ConversationList } from "../conversations.ts";
import type { ErrorCode } from "../errors.ts";
import { EnvelopeSchema } from "../events/envelope-schema.ts";
import { SessionId } from "../ids.ts";
import { InputAnswer } from "../inputs.ts";
import { Offer } from "../offers.ts";
import { checkpointRoutes } from "./checkpoint-routes.ts";
import { fileRoutes } from "./file-routes.ts";
import { handoffRoutes } from "./handoff-routes.ts";
import { identityRoutes } from "./identity-routes.ts";
import { kitRoutes } from "./kit-routes.ts";
import { landingRoutes } from "./landing-routes.ts";
import { laneRoutes } from "./lane-routes.ts";
import { launchRoutes } from "./launch-routes.ts";
import { limitRoutes } from "./limit-routes.ts";
import { modelRoutes } from "./model-routes.ts";
import { previewRoutes } from "./preview-routes.ts";
import { profileRoutes } from "./profile-routes.ts";
import { scheduleRoutes } from "./schedule-routes.ts";
import {
  Applied,
  CreateSession,
  GrantList,
  Inbox,
  Interrupt,
  Interrupted,
  Item,
  PatchMessage,
  PatchSession,
  SearchHit,
  SendMessage,
  Sent,
  Session,
} from "./schemas.ts";
import { settingRoutes } from "./setting-routes.ts";
import { spawnRoutes } from "./spawn-routes.ts";
import { terminalRoutes } from "./terminal-routes.ts";
import { transferRoutes } from "./transfer-routes.ts";

export { pathParams } from "./params.ts";

/**
 * One call of the API. Server, client, OpenAPI document and docs are made from this table.
 * `stream` says that `Accept: text/event-stream` gets the same as server-sent events.
 */
export type Route = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  summary: string;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** May the body be left out? */
  bodyOptional?: boolean;
  status: number;
  response: z.ZodType;
  errors: readonly ErrorCode[];
  stream?: boolean;
  /** The answer is a file's own bytes and not JSON. */
  bytes?: boolean;
  /** The body is a file's own bytes and not JSON; the handler reads it by itself. */
  upload?: boolean;
  open?: boolean;
};

const count = (max: number) => z.coerce.number().int().min(1).max(max);
const seq = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const session = ["no_such_session"] as const;

export const routes = {
  health: {
    method: "GET",
    path: "/v1/health",
    summary: "Is the daemon alive? The only call without a token.",
    status: 200,
    response: z.object({ ok: z.boolean(), version: z.string(), uptimeMs: z.number() }),
    errors: [],
    open: true,
  },
  createTicket: {
    method: "POST",
    path: "/v1/tickets",
    summary: "A one-time ticket for opening the page.",
    bodyOptional: true,
    status: 201,
    response: z.object({ ticket: z.string(), expiresAt: z.iso.datetime() }),
    errors: [],
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
  },
  revokePages: {
    method: "DELETE",
    path: "/v1/tickets",
    summary: "Revokes every page credential and every unused ticket, and ends the streams of open pages.",
    status: 200,
    response: z.object({ revoked: z.number().int() }),
    errors: [],
  },
  stopDaemon: {
    method: "POST",
    path: "/v1/shutdown",
    summary: "Stops the daemon; agents are left running or released.",
    body: z.strictObject({ agents: z.enum(["keep", "release"]).optional() }),
    bodyOptional: true,
    status: 202,
    response: z.object({ stopping: z.literal(true), agents: z.enum(["keep", "release"]), running: z.number().int() }),
    errors: [],
  },
  listAgents: {
    method: "GET",
    path: "/v1/agents",
    summary: "Agents as they are installed; as a stream, a row as it lands.",
    query: z.strictObject({ refresh: z.enum(["0", "1"]).optional() }),
    status: 200,
    response: z.object({ agents: z.array(AgentRow) }),
    errors: [],
    stream: true,
  },
  getAgent: {
    method: "GET",
    path: "/v1/agents/:id",
    summary: "One agent, asked anew with `refresh`, and every command there is to install it or to log it in.",
    query: z.strictObject({ refresh: z.enum(["0", "1"]).optional() }),
    status: 200,
    response: z.object({ agent: AgentRow, offers: z.array(Offer) }),
    errors: ["no_such_agent"],
  },
  listConversations: {
    method: "GET",
    path: "/v1/agents/:id/conversations",
    summary: "Conversations that the agent keeps by itself, of one folder or of all; the agent is started to be asked.",
    query: z.strictObject({ cwd: z.string().max(4096).optional() }),
    status: 200,
    response: ConversationList,
    errors: ["no_such_agent", "unsupported", "agent_unavailable", "invalid"],
  },
  createSession: {
    method: "POST",
    path: "/v1/sessions",
    summary:
      "Creates a session, with a first prompt if one is given. The same id and body again: 200, the same session.",
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
  },
  listSessions: {
    method: "GET",
    path: "/v1/sessions",
    summary:
      "Sessions, the newest first; archived ones only with `archived=1` (them alone) or `archived=all`, and those of identities only with `identities=1` or `identities=all`.",
    query: z.strictObject({
      state: z.enum(["idle", "running", "waiting", "limited", "ended"]).optional(),
      q: z.string().max(200).optional(),
      archived: z.enum(["0", "1", "all"]).optional(),
      identities: z.enum(["0", "1", "all"]).optional(),
      limit: count(500).optional(),
      cursor: z.string().max(200).optional(),
    }),
    status: 200,
    response: z.object({ sessions: z.array(Session), nextCursor: z.string().optional() }),
    errors: ["invalid"],
  },
  startDemo: {
    method: "POST",
    path: "/v1/demo",
    summary:
      "A session that shows what there is to see, in a temporary project: no key, no network. The same id again: 200, the same session.",
    body: z.strictObject({ id: SessionId.optional() }),
    bodyOptional: true,
    status: 201,
    response: Session,
    errors: ["conflict", "agent_unavailable"],
  },
  getSession: {
    method: "GET",
    path: "/v1/sessions/:id",
    summary: "One session, with the agent's slash commands.",
    status: 200,
    response: Session,
    errors: session,
  },
  patchSession: {
    method: "PATCH",
    path: "/v1/sessions/:id",
    summary:
      "Changes title, model, mode, effort, budget or whether it goes on by itself after a limit; says what took effect and when. Archives a session, which releases its process, or brings it back.",
    body: PatchSession,
    status: 200,
    response: Applied,
    errors: [...session, "session_ended", "turn_running", "input_pending", "other_family", "invalid"],
  },
  deleteSession: {
    method: "DELETE",
    path: "/v1/sessions/:id",
    summary: "Stops the session, then removes its log, spool and blobs.",
    status: 200,
    response: z.object({ deleted: z.literal(true) }),
    errors: session,
  },
  sendMessage: {
    method: "POST",
    path: "/v1/sessions/:id/messages",
    summary: "Sends a message. Acknowledged means on disk; the answer says what really happened to it.",
    body: SendMessage,
    status: 202,
    response: Sent,
    errors: [...session, "session_ended", "invalid", "conflict", "queue_full", "unsupported", "outside_folder"],
  },
  patchMessage: {
    method: "PATCH",
    path: "/v1/sessions/:id/messages/:mid",
    summary: "Edits or moves a queued message.",
    body: PatchMessage,
    status: 200,
    response: Session,
    errors: [...session, "no_such_message", "already_sent"],
  },
  deleteMessage: {
    method: "DELETE",
    path: "/v1/sessions/:id/messages/:mid",
    summary: "Cancels a queued message.",
    status: 200,
    response: Session,
    errors: [...session, "no_such_message", "already_sent"],
  },
  interrupt: {
    method: "POST",
    path: "/v1/sessions/:id/interrupt",
    summary: "Stops the running turn; harmless when idle.",
    body: Interrupt,
    bodyOptional: true,
    status: 200,
    response: Interrupted,
    errors: session,
  },
  closeSession: {
    method: "POST",
    path: "/v1/sessions/:id/close",
    summary: "Releases the agent's process; the session is kept and resumes with the next message.",
    bodyOptional: true,
    status: 200,
    response: z.object({ released: z.boolean() }),
    errors: [...session, "turn_running"],
  },
  sessionEvents: {
    method: "GET",
    path: "/v1/sessions/:id/events",
    summary: "Events after a place in the log; as a stream, replay and then follow.",
    query: z.strictObject({ after: seq.optional(), limit: count(10_000).optional(), tail: count(10_000).optional() }),
    status: 200,
    response: z.object({ events: z.array(EnvelopeSchema), lastSeq: z.number().int() }),
    errors: [...session, "invalid"],
    stream: true,
  },
  allEvents: {
    method: "GET",
    path: "/v1/events",
    summary: "Events of all sessions, or of those named; `id` is a cursor that resumes across sessions.",
    query: z.strictObject({
      sessions: z.string().max(10_000).optional(),
      after: seq.optional(),
      limit: count(10_000).optional(),
    }),
    status: 200,
    response: z.object({ events: z.array(EnvelopeSchema), cursor: z.string() }),
    errors: ["invalid"],
    stream: true,
  },
  getItem: {
    method: "GET",
    path: "/v1/sessions/:id/items/:item",
    summary: "One item whole, open or closed.",
    status: 200,
    response: Item,
    errors: [...session, "no_such_item"],
  },
  inbox: {
    method: "GET",
    path: "/v1/inbox",
    summary: "Everything that waits for a person, in all sessions.",
    status: 200,
    response: Inbox,
    errors: [],
  },
  answerInput: {
    method: "POST",
    path: "/v1/inputs/:id",
    summary: "Answers a pending input. The first answer wins; a second gets 409 with the first.",
    body: InputAnswer,
    status: 200,
    response: z.object({ id: z.string(), session: z.string(), decision: z.string() }),
    errors: ["no_such_input", "already_answered", "invalid"],
  },
  listGrants: {
    method: "GET",
    path: "/v1/grants",
    summary: "Standing permissions of all sessions.",
    status: 200,
    response: GrantList,
    errors: [],
  },
  revokeGrant: {
    method: "DELETE",
    path: "/v1/grants/:id",
    summary: "Revokes a standing permission.",
    status: 200,
    response: z.object({ revoked: z.literal(true) }),
    errors: ["no_such_grant"],
  },
  ...handoffRoutes,
  ...checkpointRoutes,
  ...fileRoutes,
  ...kitRoutes,
  ...identityRoutes,
  ...modelRoutes,
  ...limitRoutes,
  ...profileRoutes,
  ...settingRoutes,
  ...launchRoutes,
  ...landingRoutes,
  ...scheduleRoutes,
  ...laneRoutes,
  ...spawnRoutes,
  ...terminalRoutes,
  ...previewRoutes,
  ...transferRoutes,
  search: {
    method: "GET",
    path: "/v1/search",
    summary: "Full text over all sessions.",
    query: z.strictObject({
      q: z.string().min(1).max(500),
      limit: count(200).optional(),
      session: z.string().optional(),
    }),
    status: 200,
    response: z.object({ hits: z.array(SearchHit) }),
    errors: ["invalid"],
  },
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof routes;
