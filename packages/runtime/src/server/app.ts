import type { IncomingMessage, ServerResponse } from "node:http";
import { calls, GantryError, type RouteName } from "@gantry/protocol";
import type { CheckpointService } from "../checkpoints/port.ts";
import type { FileService } from "../files/port.ts";
import type { Hub } from "../hub/hub.ts";
import type { IdentityService } from "../identities/port.ts";
import type { LandingService } from "../landing/port.ts";
import type { LaneService } from "../lanes/port.ts";
import type { LaunchService } from "../launches/port.ts";
import type { LimitService } from "../limits/port.ts";
import type { ModelService } from "../models/models.ts";
import type { PreviewService } from "../preview/port.ts";
import type { ScheduleService } from "../schedules/port.ts";
import type { SessionService } from "../session/api.ts";
import type { SpawnService } from "../spawns/port.ts";
import type { TerminalService } from "../terminals/port.ts";
import type { TransferService } from "../transfer/port.ts";
import { agentHandlers } from "./agent-access.ts";
import { readJson } from "./body.ts";
import type { Caller, Credentials } from "./credentials.ts";
import { describeError } from "./errors.ts";
import type { Call, Handlers, Reply } from "./handler.ts";
import { Page } from "./page.ts";
import type { Catalogue, DemoService, KitService, ProfileService, ServerLog, SettingService } from "./ports.ts";
import { findRoute, isApiPath } from "./route-finder.ts";
import { agentRoutes } from "./routes/agents.ts";
import { checkpointRoutes } from "./routes/checkpoints.ts";
import { daemonRoutes } from "./routes/daemon.ts";
import { demoRoutes } from "./routes/demo.ts";
import { eventRoutes } from "./routes/events.ts";
import { fileRoutes } from "./routes/files.ts";
import { handoffRoutes } from "./routes/handoff.ts";
import { historyRoutes } from "./routes/history.ts";
import { identityRoutes } from "./routes/identities.ts";
import { inboxRoutes } from "./routes/inbox.ts";
import { kitRoutes } from "./routes/kit.ts";
import { landingRoutes } from "./routes/landing.ts";
import { laneRoutes } from "./routes/lanes.ts";
import { launchRoutes } from "./routes/launches.ts";
import { limitRoutes } from "./routes/limits.ts";
import { messageRoutes } from "./routes/messages.ts";
import { modelRoutes } from "./routes/models.ts";
import { previewRoutes } from "./routes/previews.ts";
import { profileRoutes } from "./routes/profiles.ts";
import { scheduleRoutes } from "./routes/schedules.ts";
import { sessionRoutes } from "./routes/sessions.ts";
import { settingRoutes } from "./routes/settings.ts";
import { spawnRoutes } from "./routes/spawns.ts";
import { terminalRoutes } from "./routes/terminals.ts";
import { transferRoutes } from "./routes/transfer.ts";
import { send, sendError, sendJson } from "./send.ts";
import type { Tickets } from "./tickets.ts";

const OPENAPI = "/v1/openapi.json";

export type AppOptions = {
  service: SessionService;
  log: ServerLog;
  hub: Hub;
  catalogue: Catalogue;
  kit: KitService;
  checkpoints: CheckpointService;
  identities: IdentityService;
  files: FileService;
  demo: DemoService;
  profiles: ProfileService;
  settings: SettingService;
  schedules: ScheduleService;
  lanes: LaneService;
  spawns: SpawnService;
  launches: LaunchService;
  landing: LandingService;
  terminals: TerminalService;
  previews: PreviewService;
  transfer: TransferService;
  limits: LimitService;
  models: ModelService;
  credentials: Credentials;
  tickets: Tickets;
  version: string;
  /** Bytes that a body may have. */
  bodyLimit: number;
  /** The built page; without it a small one that comes with the daemon. */
  pageDir?: string;
  onShutdown(agents: "keep" | "release"): void;
  /** A line for the daemon's log. It holds no query, no body and no secret. */
  report(line: string): void;
};

/** Answers a request that has passed the guard. Never rejects: what goes wrong becomes the answer. */
export type App = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

type Row = { method: string; path: string; status: number; query?: boolean; open?: boolean; upload?: boolean };
type Exchange = { incoming: IncomingMessage; outgoing: ServerResponse; url: URL };

/** Everything behind the guard: who calls, what is called, with what, and what comes of it. */
export function createApp(options: AppOptions): App {
  const page = new Page(options.pageDir);
  /** Answers to pages that are under way. A stream would otherwise outlive the credential that opened it. */
  const pageAnswers = new Set<ServerResponse>();
  const endPageStreams = () => {
    for (const answer of pageAnswers) if (answer.headersSent) answer.destroy();
  };
  const handlers = allHandlers(options, endPageStreams);
  const forAgents = agentHandlers(options.spawns, handlers);
  let document: string | undefined;

  return async (incoming, outgoing) => {
    try {
      // Of the address only path and query are the request's own to say; the guard has seen to the host.
      await answer({ incoming, outgoing, url: new URL(`http://gantry${incoming.url}`) });
    } catch (error) {
      const answer = describeError(error);
      if (answer.fault) options.report(`${answer.fault.reference} ${answer.fault.text}`);
      sendError(outgoing, answer);
    }
  };

  async function answer(exchange: Exchange): Promise<void> {
    const { incoming, outgoing, url } = exchange;
    const { method = "GET" } = incoming;
    const found = findRoute(method, url.pathname);
    if (typeof found === "object") return run(exchange, found.name, found.params);
    if (url.pathname === OPENAPI && method === "GET") {
      requireCaller(options.credentials, incoming);
      const { openApiDocument } = await import("@gantry/protocol/openapi");
      document ??= JSON.stringify(openApiDocument(options.version));
      return sendJson(outgoing, 200, document);
    }
    if (found === undefined) return show(exchange);
    requireCaller(options.credentials, incoming);
    throw new GantryError("method_not_allowed", `${url.pathname} exists, but not with ${method}.`);
  }

  async function run<K extends RouteName>(exchange: Exchange, name: K, given: Record<string, string>): Promise<void> {
    const route: Row = calls[name];
    const { incoming, outgoing, url } = exchange;
    const caller = route.open ? undefined : requireCaller(options.credentials, incoming);
    if (caller?.kind === "page") {
      pageAnswers.add(outgoing);
      outgoing.once("close", () => pageAnswers.delete(outgoing));
    }
    // Schemas are built when the first call comes that has something to check: they take longer than the start may.
    const checks = isBare(route, url) ? undefined : await import("./validate.ts");
    const params = checks?.checkParams(name, given) ?? given;
    const handler = caller?.kind === "session" ? forAgents(name, caller.session, params) : handlers[name];
    const query = checks?.checkQuery(name, url.searchParams) ?? {};
    const read = checks && route.method !== "GET" && route.method !== "DELETE" && !route.upload;
    const body = read ? checks.checkBody(name, await readJson(incoming, options.bodyLimit)) : undefined;
    const call = { params, query, body, caller, incoming, outgoing } as unknown as Call<K>;
    const reply: Reply<unknown> = await handler(call);
    if (reply === "streamed") return;
    if ("text" in reply) sendJson(outgoing, route.status, reply.text);
    else if ("bytes" in reply) send(outgoing, route.status, reply.headers, reply.bytes);
    else sendJson(outgoing, reply.status ?? route.status, JSON.stringify(reply.json), reply.headers);
  }

  /** A file of the page, where the path names one. */
  async function show({ incoming, outgoing, url }: Exchange): Promise<void> {
    const wanted = incoming.method === "GET" || incoming.method === "HEAD";
    const file = wanted ? await page.find(readable(url.pathname)) : undefined;
    if (file) return send(outgoing, 200, file.headers, file.body);
    const nowhere = wanted && isVisit(incoming) ? await page.find("/") : undefined;
    if (nowhere) return send(outgoing, 404, nowhere.headers, nowhere.body);
    requireCaller(options.credentials, incoming);
    throw new GantryError("not_found", "There is nothing at this path.", {
      remedy: `GET ${OPENAPI} lists every call.`,
    });
  }
}

/** A call without parameters, query and body: there is nothing about it to check. */
function isBare({ method, path, query }: Row, { search }: URL): boolean {
  return method === "GET" && !query && search === "" && !path.includes(":");
}

/** The path with its escapes read, but for those that would make it another path. */
function readable(pathname: string): string {
  try {
    return decodeURI(pathname);
  } catch {
    return pathname;
  }
}

/** A person's browser that follows a link which leads nowhere: the page says so better than JSON does. */
function isVisit({ headers, url = "" }: IncomingMessage): boolean {
  return headers["sec-fetch-mode"] === "navigate" && !isApiPath(url);
}

function allHandlers(options: AppOptions, endPageStreams: () => void): Handlers {
  const { service, log, catalogue, kit } = options;
  return {
    ...daemonRoutes({ ...options, startedAt: Date.now(), running: () => service.running(), endPageStreams }),
    ...agentRoutes(catalogue),
    ...sessionRoutes(service),
    ...handoffRoutes(service),
    ...messageRoutes(service),
    ...eventRoutes(options),
    ...inboxRoutes(service),
    ...demoRoutes(options.demo),
    ...checkpointRoutes(options.checkpoints),
    ...fileRoutes(options.files, service),
    ...kitRoutes(kit),
    ...identityRoutes(options.identities),
    ...profileRoutes(options.profiles),
    ...settingRoutes(options.settings),
    ...launchRoutes(options.launches),
    ...landingRoutes(options.landing),
    ...scheduleRoutes(options.schedules),
    ...laneRoutes(options.lanes),
    ...spawnRoutes(options.spawns),
    ...terminalRoutes(options.terminals),
    ...previewRoutes(options.previews),
    ...transferRoutes(options.transfer),
    ...historyRoutes(log),
    ...limitRoutes(options.limits, service),
    ...modelRoutes(options.models),
  };
}

/** Throws `unauthorized`. */
function requireCaller(credentials: Credentials, incoming: IncomingMessage): Caller {
  const caller = credentials.identify(incoming);
  if (!caller)
    throw new GantryError("unauthorized", "This call needs a valid credential.", {
      remedy:
        "Send `Authorization: Bearer <token>` with what is in GANTRY_HOME/token, or open the page with `gantry web`.",
    });
  return caller;
}
