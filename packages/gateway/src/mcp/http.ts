import { type Client, createClient } from "@gantry/client";
import { fetchJson } from "@gantry/client/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { callerOf } from "./coordinator.ts";
import { createCoordinatorServer } from "./server.ts";

/** Streams of clients that wait for changes of the list of tools. Above it, a request for another one is refused. */
const MOST_SUBSCRIPTIONS = 64;

export type CoordinatorHttpOptions = {
  version: string;
  /** The daemon's own address: the coordinator calls it with the credential of each request. */
  url(): string;
  report(line: string): void;
};

/** `token` is the credential of the request, already checked. `decides`: the client was set up to answer and land. */
export type CoordinatorRequest = { body: unknown; token: string; decides: boolean };

export type CoordinatorHttp = {
  /** Answers one message. Stateless: nothing is stored between requests. */
  respond(request: Request, given: CoordinatorRequest): Promise<Response>;
  /** A grant was given or revoked: notifies the clients that subscribed. */
  notifyGrant(): void;
  /** Ends running calls and streams. */
  close(): Promise<void>;
};

/** The coordinator for the streamable HTTP transport, without sessions of the transport. */
export function createCoordinatorHttp({ version, url, report }: CoordinatorHttpOptions): CoordinatorHttp {
  const clientFor = (token: string): Client =>
    createClient({ resolve: () => ({ url: url(), token }), fetch: fetchJson });
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const token = authInfo?.token ?? "";
      const caller = callerOf(token, authInfo?.scopes.includes(DECIDES) ?? false);
      return createCoordinatorServer({ client: clientFor(token), caller, version });
    },
    { maxSubscriptions: MOST_SUBSCRIPTIONS, onerror: (error) => report(`mcp: ${error.message}`) },
  );
  return {
    respond: (request, { body, token, decides }) => {
      const authInfo = { token, clientId: "gantry", scopes: decides ? [DECIDES] : [] };
      return handler.fetch(request, { parsedBody: body, authInfo });
    },
    notifyGrant: () => handler.notify.toolsChanged(),
    close: () => handler.close(),
  };
}

/** The grant of an owner's client, as a scope of its request. */
const DECIDES = "decide";
