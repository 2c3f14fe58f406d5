import type { IncomingMessage } from "node:http";
import { GantryError, type Route, type RouteName, routes } from "@gantry/protocol";
import { openApiDocument } from "@gantry/protocol/openapi";
import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Context, Hono } from "hono";
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
import type { SessionService } from "../session/port.ts";
import type { SpawnService } from "../spawns/port.ts";
import type { TerminalService } from "../terminals/port.ts";
import type { TransferService } from "../transfer/port.ts";
import { agentHandlers } from "./agent-rights.ts";
import { readJson } from "./body.ts";
import type { Caller, Credentials } from "./credentials.ts";
import { describeError } from "./errors.ts";
import { fromOwnPage } from "./guard.ts";
import type { Call, Handlers, Reply } from "./handler.ts";
import { Page } from "./page.ts";
import type { Catalogue, DemoService, KitService, ProfileService, ServerLog, SettingService } from "./ports.ts";
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
import { checkBody, checkParams, checkQuery } from "./validate.ts";

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

type Env = { Bindings: HttpBindings };

/** Everything behind the guard: who calls, what is called, with what, and what comes of it. */
export function createApp(options: AppOptions): Hono<Env> {
  const app = new Hono<Env>();
  const page = new Page(options.pageDir);
  const handlers = allHandlers(options);
  const forAgents = agentHandlers(options.spawns, handlers);
  let document: string | undefined;

  for (const name of Object.keys(routes) as RouteName[]) {
    const route: Route = routes[name];
    app.on(route.method, route.path, (c) => run(c, name));
  }
  app.get("/v1/openapi.json", (c) => {
    requireCaller(options.credentials, c.env.incoming);
    document ??= JSON.stringify(openApiDocument(options.version));
    sendJson(c.env.outgoing, 200, document);
    return RESPONSE_ALREADY_SENT;
  });
  for (const path of new Set(Object.values(routes).map((route) => route.path))) app.all(path, wrongMethod);
  app.notFound(notFound);
  app.onError((error, c) => {
    const answer = describeError(error);
    if (answer.fault) options.report(`${answer.fault.reference} ${answer.fault.text}`);
    sendError(c.env.outgoing, answer);
    return RESPONSE_ALREADY_SENT;
  });
  return app;

  async function run<K extends RouteName>(c: Context<Env>, name: K): Promise<Response> {
    const route: Route = routes[name];
    const { incoming, outgoing } = c.env;
    const caller = route.open ? undefined : requireCaller(options.credentials, incoming);
    const params = checkParams(route, c.req.param());
    const handler = caller?.kind === "session" ? forAgents(name, caller.session, params) : handlers[name];
    const query = checkQuery(route, new URL(c.req.url).searchParams);
    const read = route.method !== "GET" && route.method !== "DELETE" && !route.upload;
    const body = read ? checkBody(route, await readJson(incoming, options.bodyLimit)) : undefined;
    const call = { params, query, body, caller, incoming, outgoing } as unknown as Call<K>;
    const reply: Reply<unknown> = await handler(call);
    if (reply === "streamed") return RESPONSE_ALREADY_SENT;
    if ("text" in reply) sendJson(outgoing, route.status, reply.text);
    else if ("bytes" in reply) send(outgoing, route.status, reply.headers, reply.bytes);
    else sendJson(outgoing, reply.status ?? route.status, JSON.stringify(reply.json), reply.headers);
    return RESPONSE_ALREADY_SENT;
  }

  function wrongMethod(c: Context<Env>): Response {
    requireCaller(options.credentials, c.env.incoming);
    throw new GantryError("method_not_allowed", `${c.req.path} exists, but not with ${c.req.method}.`);
  }

  async function notFound(c: Context<Env>): Promise<Response> {
    const { incoming, outgoing } = c.env;
    const wanted = c.req.method === "GET" || c.req.method === "HEAD";
    const file = wanted ? await page.find(c.req.path) : undefined;
    if (file) {
      send(outgoing, 200, file.headers, file.body);
      return RESPONSE_ALREADY_SENT;
    }
    const nowhere = wanted && isVisit(incoming) ? await page.find("/") : undefined;
    if (nowhere) {
      send(outgoing, 404, nowhere.headers, nowhere.body);
      return RESPONSE_ALREADY_SENT;
    }
    requireCaller(options.credentials, incoming);
    throw new GantryError("not_found", "There is nothing at this path.", {
      remedy: "GET /v1/openapi.json lists every call.",
    });
  }
}

/** A person's browser that follows a link which leads nowhere: the page says so better than JSON does. */
function isVisit({ headers, url = "" }: IncomingMessage): boolean {
  return headers["sec-fetch-mode"] === "navigate" && !url.startsWith("/v1");
}

function allHandlers(options: AppOptions): Handlers {
  const { service, log, catalogue, kit } = options;
  return {
    ...daemonRoutes({ ...options, startedAt: Date.now(), running: () => service.running() }),
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

/** Who calls. Throws `unauthorized`, and `foreign_origin` where a cookie alone must not be enough. */
function requireCaller(credentials: Credentials, incoming: IncomingMessage): Caller {
  const caller = credentials.identify(incoming);
  if (!caller)
    throw new GantryError("unauthorized", "This call needs the daemon's token.", {
      remedy:
        "Send `Authorization: Bearer <token>` with what is in GANTRY_HOME/token, or open the page with `gantry web`.",
    });
  const reads = incoming.method === "GET" || incoming.method === "HEAD";
  if (caller.kind !== "cookie" || reads || fromOwnPage(incoming)) return caller;
  throw new GantryError("foreign_origin", "A change with the cookie must come from the daemon's own page.");
}
