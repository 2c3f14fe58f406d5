import {
  type AgentRow,
  calls,
  type Envelope,
  type FolderTrust,
  type Handoff,
  type HandoffBody,
  type HandoffPlan,
  type RouteQuery,
  type Session,
  type TrustedFolder,
} from "@gantry/protocol";
import { type CallInput, type CallRoute, call, pathOf } from "./call.ts";
import { type FollowAllOptions, type FollowOptions, follow, followAll } from "./follow.ts";
import { createMethods } from "./methods.gen.ts";
import { openStream } from "./stream.ts";
import { type FollowTerminalOptions, followTerminal } from "./terminals.ts";
import { transferMethods } from "./transfer.ts";
import { type Target, Transport } from "./transport.ts";

/** Either a fixed address, or `resolve`, which the client calls before every request. */
export type ClientOptions = (Target | { resolve: () => Target | Promise<Target> }) & {
  fetch?: typeof globalThis.fetch;
};

export type Client = ReturnType<typeof createClient>;

/**
 * A client of the daemon, for Node and browsers. Every method throws `GantryError` with a code, and `unavailable` when
 * the daemon cannot be reached. Methods that map to one call are generated from the route table.
 */
export function createClient(options: ClientOptions) {
  const resolve = "resolve" in options ? options.resolve : () => ({ url: options.url, token: options.token });
  const transport = new Transport({ resolve, fetch: options.fetch });
  const callRoute: CallRoute = (name, ...[input]) => call(transport, name, (input ?? {}) as CallInput<typeof name>);
  const methods = createMethods(callRoute);
  return {
    ...methods,
    /** Figures of the daemon in the text format of Prometheus. For the owner's token only. */
    metrics: async (): Promise<string> => (await transport.request(calls.metrics.path)).text(),
    /** Any call of the route table by its name. */
    call: callRoute,
    sessions: { ...methods.sessions, ...sessionMethods(callRoute) },
    agents: {
      ...methods.agents,
      /** Yields each row when its probe ends. */
      stream: (refresh = false, signal?: AbortSignal) => streamAgents(transport, refresh, signal),
    },
    files: {
      ...methods.files,
      /** The content of a file in a session's folder, with its media type. */
      read: async (session: string, path: string, signal?: AbortSignal): Promise<Blob> => {
        const url = pathOf(calls.readFile.path, { params: { id: session }, query: { path } });
        return (await transport.request(url, { signal })).blob();
      },
    },
    terminals: {
      ...methods.terminals,
      follow: (id: string, more: FollowTerminalOptions = {}) => followTerminal(transport, id, more),
    },
    trust: { ...methods.trust, ...trustMethods(callRoute) },
    imports: { ...methods.imports, ...transferMethods(transport) },
    ...queryMethods(callRoute),
    follow: (session: string, more: FollowOptions = {}) => follow(transport, session, more),
    followAll: (more: FollowAllOptions = {}) => followAll(transport, more),
  };
}

/** Calls whose result type depends on the arguments. */
function sessionMethods(callRoute: CallRoute) {
  return {
    /** Hands the session to another agent, which continues at once. */
    handOff: async (id: string, body: HandoffBody) =>
      (await callRoute("handOff", { params: { id }, query: {}, body })) as Session & { handoff: Handoff },
    /** The plan of a handoff, with a brief that can be edited. Changes nothing. */
    planHandoff: async (id: string, body: HandoffBody) =>
      (await callRoute("handOff", { params: { id }, query: { dry: "1" }, body })) as HandoffPlan,
    /** The session as it was after one event of its log. */
    at: (id: string, seq: number, signal?: AbortSignal) =>
      callRoute("sessionAt", { params: { id, seq: String(seq) }, signal }),
    events: async (id: string, query: RouteQuery<"sessionEvents"> = {}) => {
      const { events, ...end } = await callRoute("sessionEvents", { params: { id }, query });
      return { events: events as unknown as Envelope[], ...end };
    },
  };
}

function trustMethods(callRoute: CallRoute) {
  return {
    /** What a folder would run, and whether it is trusted. Runs nothing. */
    get: async (path: string) => (await callRoute("getTrust", { query: { path } })) as FolderTrust,
    /** All trusted folders. */
    list: async () => ((await callRoute("getTrust", { query: {} })) as { folders: TrustedFolder[] }).folders,
  };
}

function queryMethods(callRoute: CallRoute) {
  return {
    search: async (q: string, more: Omit<RouteQuery<"search">, "q"> = {}) =>
      (await callRoute("search", { query: { q, ...more } })).hits,
    usage: (by?: string, filter: Omit<RouteQuery<"usage">, "by"> = {}) =>
      callRoute("usage", { query: { by, ...filter } }),
    /** Compares lanes, named by id or by name within the repository of `cwd`. */
    compare: (lanes: readonly string[], { cwd, patch = true }: { cwd?: string; patch?: boolean } = {}) =>
      callRoute("compareLanes", { query: { lanes: lanes.join(","), cwd, patch: patch ? "1" : "0" } }),
    /** The end of the log of all sessions: `followAll({ after: await cursor() })` yields only newer events. */
    cursor: async () => (await callRoute("allEvents", { query: { after: Number.MAX_SAFE_INTEGER, limit: 1 } })).cursor,
  };
}

async function* streamAgents(transport: Transport, refresh: boolean, signal?: AbortSignal): AsyncGenerator<AgentRow> {
  const path = pathOf(calls.listAgents.path, { query: { refresh: refresh ? "1" : "0" } });
  for await (const { event, data } of openStream(transport, path, { signal, idleMs: 120_000 })) {
    if (event === "done") return;
    yield data as AgentRow;
  }
}
