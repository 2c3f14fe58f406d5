import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { CoordinatorHttp } from "@gantry/gateway/mcp";
import { GantryError } from "@gantry/protocol";
import type { StoredEvent } from "../log/port.ts";
import type { Publisher } from "../session/api.ts";

/** A waiting call is open for long. More than this is a mistake of a client. */
const MOST_RUNNING = 256;

export type CoordinatorDeps = {
  version: string;
  /** The daemon's own address on this machine. */
  url: () => string;
  log: (line: string) => void;
};

/** One MCP message of a caller whose credential was checked. */
export type CoordinatorMessage = {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  body: unknown;
  decides: boolean;
};

/**
 * The MCP coordinator at `/mcp`. It calls the daemon's own API over loopback with the credential of each request, so that its
 * rights are checked in one place. Loaded with the first request: most daemons never get one.
 */
export class CoordinatorService implements Pick<Publisher, "committed"> {
  readonly #deps: CoordinatorDeps;
  readonly #running = new Set<ServerResponse>();
  #http: Promise<CoordinatorHttp> | undefined;

  constructor(deps: CoordinatorDeps) {
    this.#deps = deps;
  }

  /** Writes the answer to `outgoing`. Ends the call when the client disconnects. */
  async respond({ incoming, outgoing, body, decides }: CoordinatorMessage): Promise<void> {
    if (this.#running.size >= MOST_RUNNING) {
      throw new GantryError("unavailable", `${MOST_RUNNING} calls of MCP clients are running.`, {
        remedy: "Close clients that wait for sessions, or try again later.",
      });
    }
    const gone = new AbortController();
    this.#running.add(outgoing);
    outgoing.once("close", () => {
      this.#running.delete(outgoing);
      gone.abort();
    });
    const http = await this.#open();
    const token = incoming.headers.authorization?.replace(/^bearer\s+/i, "") ?? "";
    const headers = Object.entries(incoming.headers).flatMap(([name, value]) =>
      value === undefined || name === "authorization" ? [] : [[name, String(value)] as [string, string]],
    );
    const request = new Request(new URL("/mcp", this.#deps.url()), { method: "POST", headers, signal: gone.signal });
    await sendResponse(outgoing, await http.respond(request, { body, token, decides }));
  }

  /** Notifies subscribed clients when a person gives or revokes a grant. */
  committed(_session: string, rows: StoredEvent[]): void {
    if (this.#http && rows.some(changesGrant)) void this.#http.then((http) => http.notifyGrant());
  }

  /** Ends running calls. Before the server closes, which would otherwise wait for them. */
  async stop(): Promise<void> {
    await (await this.#http)?.close();
    for (const outgoing of this.#running) outgoing.destroy();
  }

  #open(): Promise<CoordinatorHttp> {
    this.#http ??= load(this.#deps);
    return this.#http;
  }
}

async function load({ version, url, log }: CoordinatorDeps): Promise<CoordinatorHttp> {
  const { createCoordinatorHttp } = await import("@gantry/gateway/mcp");
  return createCoordinatorHttp({ version, url, report: log });
}

function changesGrant({ type, json }: StoredEvent): boolean {
  return type === "session.updated" && json.includes('"lead":');
}

/** Passes a response on, with back-pressure. */
async function sendResponse(outgoing: ServerResponse, response: Response): Promise<void> {
  if (outgoing.destroyed) return void response.body?.cancel().catch(() => undefined);
  const headers = Object.fromEntries(response.headers);
  outgoing.writeHead(response.status, { ...headers, "cache-control": "no-store", "x-content-type-options": "nosniff" });
  if (!response.body) return void outgoing.end();
  outgoing.flushHeaders();
  // The client may disconnect at any time, which is no fault.
  await pipeline(Readable.fromWeb(response.body as never), outgoing).catch(() => outgoing.destroy());
}
