import type { Session } from "@gantry/protocol";
import type { Gateway, OpenedSession, Place } from "../gateway.ts";
import type { Form } from "../inputs/elicitation.ts";
import type { EditorServer } from "../requests/mcp-servers.ts";
import type { FormReply } from "../session/editor-client.ts";
import { answer, requireCwd } from "./options.ts";

/** Requests that have the same form in both protocol versions. The library has checked the params. */
type SharedApp = {
  onRequest(method: string, handler: (context: { params: never }) => Promise<unknown>): unknown;
  onNotification(method: string, handler: (context: { params: { sessionId: string } }) => Promise<void>): unknown;
};

type PlaceParams = {
  cwd: string;
  additionalDirectories?: readonly string[] | null;
  mcpServers?: readonly unknown[] | null;
};
type Target = { sessionId: string };

/** Stops waiting when another client has answered; the editor gets `$/cancel_request` and closes its dialog. */
export const closing = (signal: AbortSignal) => ({ cancellationSignal: signal, stopWaitingOnCancel: true });

/** The parts of a request that place a session. Throws `invalid`. */
export function readPlace({ cwd, additionalDirectories, mcpServers }: PlaceParams): Place {
  requireCwd(cwd);
  return { cwd, additionalDirectories, mcpServers: (mcpServers ?? []) as EditorServer[] };
}

/** `describe` gives the fields with which a response describes a session in this protocol version. */
export function registerShared(
  app: unknown,
  requireGateway: () => Gateway,
  describe: (opened: OpenedSession) => Record<string, unknown>,
): void {
  const { onRequest, onNotification } = bind(app as SharedApp);
  const reply = (opened: OpenedSession) => {
    beginAfterReply(requireGateway(), opened);
    return { sessionId: opened.session.id, ...describe(opened) };
  };
  onRequest("session/new", ({ params }: { params: PlaceParams }) =>
    answer(async () => reply(await requireGateway().create(readPlace(params)))),
  );
  onRequest("session/fork", ({ params }: { params: PlaceParams & Target }) =>
    answer(async () => reply(await requireGateway().fork(params.sessionId, readPlace(params)))),
  );
  onRequest("session/list", ({ params }: { params: { cwd?: string | null; cursor?: string | null } }) =>
    answer(async () => {
      const { sessions, nextCursor } = await requireGateway().list(params);
      return { sessions: sessions.map(encodeSession), ...(nextCursor ? { nextCursor } : {}) };
    }),
  );
  onRequest("session/close", ({ params }: { params: Target }) =>
    answer(async () =>
      requireGateway()
        .close(params.sessionId)
        .then(() => ({})),
    ),
  );
  onNotification("session/cancel", ({ params }) => requireGateway().cancel(params.sessionId));
}

/** Requests about a session follow the response that opens it. */
export function beginAfterReply(gateway: Gateway, { session }: OpenedSession): void {
  setImmediate(() => gateway.begin(session.id));
}

/** Shows a form in the editor. */
export function createElicit(client: { request(method: string, params: unknown, options: object): Promise<unknown> }) {
  return async (sessionId: string, { message, schema, tool }: Form & { tool?: string }, signal: AbortSignal) => {
    const scope = { sessionId, ...(tool ? { toolCallId: tool } : {}) };
    const request = { mode: "form", message, requestedSchema: schema, ...scope };
    return (await client.request("elicitation/create", request, closing(signal))) as FormReply;
  };
}

function encodeSession({ id, cwd, folders, title, updatedAt, agent, state }: Session) {
  const more = folders?.length ? { additionalDirectories: folders } : {};
  return { sessionId: id, cwd, ...more, title, updatedAt, _meta: { gantry: { agent, state } } };
}

function bind(app: SharedApp): SharedApp {
  return { onRequest: app.onRequest.bind(app), onNotification: app.onNotification.bind(app) };
}
