import type { IncomingMessage, ServerResponse } from "node:http";
import { calls, GantryError, type RouteName } from "@gantry/protocol";
import type { Config } from "../config.ts";
import type { Records } from "../log/port.ts";
import { type AgentAccess, handlerForAgent } from "./access/agent-access.ts";
import { CredentialStreams } from "./access/credential-streams.ts";
import { type Caller, Credentials, type StoredPageCredential } from "./access/credentials.ts";
import type { Tickets } from "./access/tickets.ts";
import { readJson } from "./body.ts";
import { describeError } from "./errors.ts";
import type { Call, Handlers, Reply } from "./handler.ts";
import { type DaemonCalls, daemonHandlers } from "./handlers/daemon.ts";
import type { UpgradeRequest } from "./http.ts";
import { Page } from "./page.ts";
import { findRoute, isApiPath } from "./route-finder.ts";
import { send, sendError, sendJson } from "./send.ts";

const OPENAPI = "/v1/openapi.json";
const MCP = "/mcp";

export type AppOptions = {
  /** The handlers of every call, except for those about the daemon itself. */
  handlers: Omit<Handlers, DaemonCalls>;
  access: AgentAccess;
  token: string;
  pageCredentials: Records<StoredPageCredential>;
  tickets: Tickets;
  version: string;
  /** As `process.uptime()`. */
  startedAt: number;
  config: Config["server"];
  hub: { close(): void };
  /** The folder of the built page; without it the daemon serves a small built-in one. */
  pageDir?: string;
  /** How many agent processes run now. */
  running(): number;
  /** The number of background tasks that run. */
  tasks(): number;
  onShutdown(agents: "keep" | "release"): void;
  /** Page credentials were revoked: drops what pages obtained with them, such as tickets of terminals. */
  onRevoke(): void;
  /** Writes a line to the daemon's log. The line has no query, body or secret. */
  report(line: string): void;
};

type Row = {
  method: string;
  path: string;
  status: number;
  query?: boolean;
  open?: boolean;
  upload?: boolean;
};
type Exchange = { incoming: IncomingMessage; outgoing: ServerResponse; url: URL };

/** Everything behind the guard: authenticates the caller, finds the call, validates the input and runs the handler. */
export class App {
  readonly #options: AppOptions;
  readonly #credentials: Credentials;
  /** The maximum size of a body, in bytes. */
  readonly #bodyLimit: number;
  readonly #page: Page;
  readonly #handlers: Handlers;
  readonly #streams: CredentialStreams;
  /** Ends the WebSockets of editors. */
  readonly #stopping = new AbortController();
  #openApi: string | undefined;

  constructor(options: AppOptions) {
    const { token, pageCredentials: pages, access } = options;
    this.#options = options;
    this.#credentials = new Credentials({ token, pages, sessionOf: (given) => access.sessionOf(given) });
    this.#bodyLimit = Math.floor(options.config.bodyMb * 1024 * 1024);
    this.#page = new Page(options.pageDir);
    this.#streams = new CredentialStreams(this.#credentials);
    const endPageStreams = (except: ServerResponse) => this.#streams.endPages(except);
    const daemonCalls = daemonHandlers({ ...options, credentials: this.#credentials, endPageStreams });
    this.#handlers = { ...options.handlers, ...daemonCalls };
  }

  endStreams(): void {
    this.#stopping.abort();
    this.#options.hub.close();
  }

  /** Responds to a request that has passed the guard. Never rejects: a failure becomes the response. */
  async respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    try {
      // The guard has checked the host; only path and query are taken from the request.
      await this.#route({ incoming, outgoing, url: new URL(`http://gantry${incoming.url}`) });
    } catch (error) {
      const failure = describeError(error);
      if (failure.fault) this.#options.report(`${failure.fault.reference} ${failure.fault.text}`);
      sendError(outgoing, failure);
    }
  }

  /** Serves an editor on a WebSocket, with the rights of its credential. Never rejects. */
  async upgrade(request: UpgradeRequest): Promise<void> {
    const { incoming, socket, outgoing } = request;
    try {
      const { kind } = requireCaller(this.#credentials, incoming);
      if (kind !== "token") this.#streams.track(kind, incoming, socket);
      const { serveEditor } = await import("./access/acp-socket.ts");
      serveEditor(request, { ...this.#options, signal: this.#stopping.signal });
    } catch (error) {
      const failure = describeError(error);
      if (failure.fault) this.#options.report(`${failure.fault.reference} ${failure.fault.text}`);
      sendError(outgoing, failure);
    }
  }

  async #route(exchange: Exchange): Promise<void> {
    const { incoming, outgoing, url } = exchange;
    const { method = "GET" } = incoming;
    const found = findRoute(method, url.pathname);
    if (typeof found === "object") return this.#run(exchange, found.name, found.params);
    if (url.pathname === OPENAPI && method === "GET") {
      requireCaller(this.#credentials, incoming);
      return sendJson(outgoing, 200, await this.#openApiDocument());
    }
    if (found === undefined) return this.#servePage(exchange);
    requireCaller(this.#credentials, incoming);
    const refusal = new GantryError("method_not_allowed", `${url.pathname} does not support ${method}.`);
    if (url.pathname !== MCP) throw refusal;
    // MCP clients try GET first and expect exactly this status from a server without such a stream.
    sendJson(outgoing, 405, JSON.stringify(refusal.toJSON()), { allow: "POST" });
  }

  async #run<K extends RouteName>(exchange: Exchange, name: K, given: Record<string, string>): Promise<void> {
    const route: Row = calls[name];
    const { incoming, outgoing, url } = exchange;
    const caller = route.open ? undefined : requireCaller(this.#credentials, incoming);
    // A call without a credential, such as a stream that a ticket opens, counts as a page's: pages get tickets.
    const kind = route.open ? "page" : caller?.kind;
    if (kind === "page" || kind === "session") this.#streams.track(kind, incoming, outgoing);
    // Building the schemas takes longer than the daemon may take to start: they are loaded with the first call that
    // has something to validate.
    const checks = hasNoInput(route, url) ? undefined : await import("./validate.ts");
    const params = checks?.checkParams(name, given) ?? given;
    const handler =
      caller?.kind === "session"
        ? handlerForAgent(this.#options.access, this.#handlers, { name, caller: caller.session, params })
        : this.#handlers[name];
    const query = checks?.checkQuery(name, url.searchParams) ?? {};
    const hasBody = checks && route.method !== "GET" && route.method !== "DELETE" && !route.upload;
    const body = hasBody ? checks.checkBody(name, await readJson(incoming, this.#bodyLimit)) : undefined;
    const call = { params, query, body, caller, incoming, outgoing } as unknown as Call<K>;
    sendReply(outgoing, route.status, await handler(call as never));
  }

  /** Serves a file of the page. A browser that navigates to an unknown path gets the page with status 404. */
  async #servePage({ incoming, outgoing, url }: Exchange): Promise<void> {
    const isRead = incoming.method === "GET" || incoming.method === "HEAD";
    const file = isRead ? await this.#page.find(decodePath(url.pathname)) : undefined;
    if (file) {
      send(outgoing, 200, file.headers, file.body);
      // The page's first call needs the schemas. They load while the browser reads the document.
      if (file.headers["content-type"]?.startsWith("text/html")) setImmediate(() => void import("./validate.ts"));
      return;
    }
    const fallback = isRead && isNavigation(incoming) ? await this.#page.find("/") : undefined;
    if (fallback) return send(outgoing, 404, fallback.headers, fallback.body);
    // The names of the page's files are public. A page of an earlier build asks for files that are gone.
    if (!url.pathname.startsWith("/assets/")) requireCaller(this.#credentials, incoming);
    throw new GantryError("not_found", "There is nothing at this path.", {
      remedy: `GET ${OPENAPI} lists every call.`,
    });
  }

  async #openApiDocument(): Promise<string> {
    const { openApiDocument } = await import("@gantry/protocol/openapi");
    this.#openApi ??= JSON.stringify(openApiDocument(this.#options.version));
    return this.#openApi;
  }
}

function sendReply(outgoing: ServerResponse, status: number, reply: Reply<unknown>): void {
  if (reply === "streamed") return;
  if ("text" in reply) sendJson(outgoing, status, reply.text);
  else if ("bytes" in reply) send(outgoing, status, reply.headers, reply.bytes);
  else sendJson(outgoing, reply.status ?? status, JSON.stringify(reply.json), reply.headers);
}

/** True for a call without parameters, query and body: there is nothing to validate. */
function hasNoInput({ method, path, query }: Row, { search }: URL): boolean {
  return method === "GET" && !query && search === "" && !path.includes(":");
}

/** The path with its escapes decoded, except for those that would change its segments. */
function decodePath(pathname: string): string {
  try {
    return decodeURI(pathname);
  } catch {
    return pathname;
  }
}

/** A browser that follows a link to an unknown path: the page explains that better than JSON does. */
function isNavigation({ headers, url = "" }: IncomingMessage): boolean {
  return headers["sec-fetch-mode"] === "navigate" && !isApiPath(url);
}

/** Throws `unauthorized`. */
function requireCaller(credentials: Credentials, incoming: IncomingMessage): Caller {
  const caller = credentials.identify(incoming);
  if (!caller)
    throw new GantryError("unauthorized", "This call needs a valid credential.", {
      remedy:
        "Send `Authorization: Bearer <token>` with the content of GANTRY_HOME/token, or open the page with `gantry web`.",
    });
  return caller;
}
