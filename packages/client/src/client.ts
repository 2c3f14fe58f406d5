import {
  type AgentRow,
  type CreateSession,
  calls,
  type Envelope,
  type Handoff,
  type HandoffBody,
  type HandoffPlan,
  type InputAnswer,
  type PatchMessage,
  type PatchSession,
  type RouteName,
  type RouteQuery,
  type RouteResult,
  type SendMessage,
  type Session,
  type SettingChanges,
} from "@gantry/protocol";
import { type CallInput, call, pathOf } from "./call.ts";
import { turnCalls } from "./checkpoints.ts";
import { fileCalls } from "./files.ts";
import { type FollowAllOptions, type FollowOptions, follow, followAll } from "./follow.ts";
import { identityCalls } from "./identities.ts";
import { kitCalls } from "./kit.ts";
import { laneCalls } from "./lanes.ts";
import { launchCalls } from "./launches.ts";
import { previewCalls } from "./previews.ts";
import { scheduleCalls } from "./schedules.ts";
import { openStream } from "./stream.ts";
import { terminalCalls } from "./terminals.ts";
import { transferCalls } from "./transfer.ts";
import { type Target, Transport } from "./transport.ts";

/** Either a fixed place, or `resolve` to look it up anew before every request. */
export type ClientOptions = (Target | { resolve: () => Target | Promise<Target> }) & {
  fetch?: typeof globalThis.fetch;
};

export type Client = ReturnType<typeof createClient>;

/**
 * A client of the daemon, for Node and browsers. Every method throws `GantryError` with a code, and `unavailable` when
 * the daemon cannot be reached.
 */
export function createClient(options: ClientOptions) {
  const resolve = "resolve" in options ? options.resolve : () => ({ url: options.url, token: options.token });
  const transport = new Transport({ resolve, fetch: options.fetch });

  /** Any call of the route table by its name. */
  function callRoute<K extends RouteName>(name: K, ...[input]: Input<K>): Promise<RouteResult<K>> {
    return call(transport, name, (input ?? {}) as CallInput<K>);
  }

  return {
    call: callRoute,
    health: () => callRoute("health"),
    ticket: () => callRoute("createTicket"),
    /** Exchanges a one-time ticket for a credential, which is then sent as `token`. */
    redeem: (ticket: string) => callRoute("redeemTicket", { body: { ticket } }),
    /** Revokes the credentials of all pages and all unused tickets. */
    revokePages: () => callRoute("revokePages"),
    shutdown: (agents: "keep" | "release" = "keep") => callRoute("stopDaemon", { body: { agents } }),
    sessions: sessionCalls(callRoute),
    agents: {
      list: async (refresh = false) =>
        (await callRoute("listAgents", { query: { refresh: refresh ? "1" : "0" } })).agents,
      /** Rows as their probes end. */
      stream: (refresh = false, signal?: AbortSignal) => agentStream(transport, refresh, signal),
      /** One row, and every command there is to install it or to log it in. */
      get: (id: string, refresh = false) =>
        callRoute("getAgent", { params: { id }, query: { refresh: refresh ? "1" : "0" } }),
      /** Conversations that the agent keeps by itself, of one folder or of all. */
      conversations: (id: string, cwd?: string) => callRoute("listConversations", { params: { id }, query: { cwd } }),
    },
    files: fileCalls(transport),
    turns: turnCalls(transport),
    terminals: terminalCalls(transport),
    previews: previewCalls(transport),
    lanes: laneCalls(transport),
    schedules: scheduleCalls(transport),
    imports: transferCalls(transport),
    ...kitCalls(transport),
    identities: identityCalls(transport),
    ...launchCalls(transport),
    settings: {
      get: () => callRoute("getSettings"),
      /** By key, such as `deadlines.turnSeconds`; `null` goes back to the default. */
      change: (changes: SettingChanges) => callRoute("patchSettings", { body: changes }),
    },
    inbox: async () => (await callRoute("inbox")).inputs,
    answer: (id: string, body: InputAnswer) => callRoute("answerInput", { params: { id }, body }),
    grants: async () => (await callRoute("listGrants")).grants,
    revokeGrant: (id: string) => callRoute("revokeGrant", { params: { id } }),
    search: async (q: string, more: Omit<RouteQuery<"search">, "q"> = {}) =>
      (await callRoute("search", { query: { q, ...more } })).hits,
    usage: (by?: string, filter: Omit<RouteQuery<"usage">, "by"> = {}) =>
      callRoute("usage", { query: { by, ...filter } }),
    limits: limitCalls(callRoute),
    models: {
      /** Those that are available in a folder, or all there are, and what is wrong with models.yml. */
      list: (query: RouteQuery<"listModels"> = {}) => callRoute("listModels", { query }),
      /** What a selector means, and why. Throws `no_such_model`. */
      resolve: (q: string, cwd?: string) => callRoute("resolveModel", { query: { q, cwd } }),
    },
    /** Where the log of all sessions ends now: `followAll({ after: await cursor() })` gives what comes from here on. */
    cursor: async () => (await callRoute("allEvents", { query: { after: Number.MAX_SAFE_INTEGER, limit: 1 } })).cursor,
    follow: (session: string, more: FollowOptions = {}) => follow(transport, session, more),
    followAll: (more: FollowAllOptions = {}) => followAll(transport, more),
  };
}

/** A call that needs nothing may be made without an argument. */
type Input<K extends RouteName> =
  Record<never, never> extends CallInput<K> ? [input?: CallInput<K>] : [input: CallInput<K>];
type CallRoute = <K extends RouteName>(name: K, ...input: Input<K>) => Promise<RouteResult<K>>;

function sessionCalls(callRoute: CallRoute) {
  return {
    create: (body: CreateSession) => callRoute("createSession", { body }),
    /** A session that shows what there is to see, with an agent that needs no key. */
    demo: (id?: string) => callRoute("startDemo", { body: { id } }),
    list: (query: RouteQuery<"listSessions"> = {}) => callRoute("listSessions", { query }),
    get: (id: string) => callRoute("getSession", { params: { id } }),
    patch: (id: string, body: PatchSession) => callRoute("patchSession", { params: { id }, body }),
    delete: (id: string) => callRoute("deleteSession", { params: { id } }),
    send: (id: string, body: SendMessage) => callRoute("sendMessage", { params: { id }, body }),
    editMessage: (id: string, mid: string, body: PatchMessage) =>
      callRoute("patchMessage", { params: { id, mid }, body }),
    cancelMessage: (id: string, mid: string) => callRoute("deleteMessage", { params: { id, mid } }),
    interrupt: (id: string, queue: "keep" | "clear" = "keep") =>
      callRoute("interrupt", { params: { id }, body: { queue } }),
    close: (id: string) => callRoute("closeSession", { params: { id } }),
    fork: (id: string, body: { at?: number; agent?: string } = {}) =>
      callRoute("forkSession", { params: { id }, body }),
    /** Hands the session to another agent, which goes on at once. */
    handOff: async (id: string, body: HandoffBody) =>
      (await callRoute("handOff", { params: { id }, query: {}, body })) as Session & { handoff: Handoff },
    /** What a handoff would be, with the brief to be edited. Changes nothing. */
    planHandoff: async (id: string, body: HandoffBody) =>
      (await callRoute("handOff", { params: { id }, query: { dry: "1" }, body })) as HandoffPlan,
    /** For an agent that waited for a session it began: it is not woken for this turn. */
    heard: (id: string, turn: string) => callRoute("hearSession", { params: { id }, body: { turn } }),
    item: (id: string, item: string) => callRoute("getItem", { params: { id, item } }),
    events: async (id: string, query: RouteQuery<"sessionEvents"> = {}) => {
      const { events, lastSeq } = await callRoute("sessionEvents", { params: { id }, query });
      return { events: events as unknown as Envelope[], lastSeq };
    },
  };
}

function limitCalls(callRoute: CallRoute) {
  return {
    /** Those that hold now, with the sessions that wait for them. */
    list: async () => (await callRoute("listLimits")).limits,
    /** Tries one now: one session goes first, the others follow. */
    resume: (id: string) => callRoute("resumeLimit", { params: { id } }),
    patch: (id: string, body: { autoResume: boolean }) => callRoute("patchLimit", { params: { id }, body }),
    /** Lets one session go on now. */
    resumeSession: (id: string) => callRoute("resumeSession", { params: { id } }),
  };
}

async function* agentStream(transport: Transport, refresh: boolean, signal?: AbortSignal): AsyncGenerator<AgentRow> {
  const path = pathOf(calls.listAgents.path, { query: { refresh: refresh ? "1" : "0" } });
  for await (const { event, data } of openStream(transport, path, { signal, idleMs: 120_000 })) {
    if (event === "done") return;
    yield data as AgentRow;
  }
}
